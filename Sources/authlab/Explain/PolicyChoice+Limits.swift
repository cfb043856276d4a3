extension PolicyChoice {
    /// The choices that are numbers: how often, how many, how long.
    static let limits = """
        limits.passwords
        Wrong passwords for one address that cause no wait, on unknown devices together.
        Higher lets strangers guess more; lower makes mistyping wait.

        limits.passwordsOnKnownDevice
        Wrong passwords for one address that cause no wait, on one known device.
        Lower makes the owner wait on their own device; strangers do not use this allowance up.

        limits.guessesFromOrigin
        Wrong passwords and digits from one origin that cause no wait, on unknown devices; the same number counts, for each \
        provider apart and on every device, for access tokens and codes that the provider refuses.
        Higher lets one address try many accounts; lower makes people behind a shared address wait.

        limits.wrongCodes
        Wrong answers after which a code, a challenge or a conflict is over, and failed codes after which a visit is.
        Higher makes six digits guessable; lower asks for a new code after a typing error.

        limits.digitsForNumber
        Wrong digits for one number on unknown devices after which none are accepted.
        Higher lets a patient stranger guess digits; lower lets strangers close a number sooner.

        limits.numberPause
        How long digits for a number are not accepted then on unknown devices.
        Longer keeps a person with a new device out for longer; shorter gives guesses back sooner.

        limits.factorAnswersOnKnownDevice
        Wrong answers to an account's factors that cause no wait, on one known device.
        Lower makes the owner wait; higher helps a thief of a known device.

        limits.factorAnswersInDay
        Wrong answers to an account's factors in a day, on unknown devices together.
        Higher lets a thief of the password guess the six digits.

        limits.factorAnswers
        Wrong answers to an account's factors on unknown devices after which none are accepted.
        Higher lets a thief of the password guess for weeks; lower needs a known device sooner.

        limits.mails
        Mails of one kind to one address in an hour, on one known device and on unknown devices together.
        Higher lets strangers fill a mailbox; lower makes people wait for a second mail.

        limits.mailsFromOrigin
        Mails from one origin in an hour, on unknown devices.
        Higher lets one origin mail thousands; lower stops people behind a shared address.

        limits.texts
        Texts to one number in an hour, on one known device and on unknown devices together.
        Higher costs money and patience; lower refuses people whose texts are slow.

        limits.textsOnKnownDevices
        Texts to one number in an hour, on all known devices together.
        Higher lets a person with many devices run up a bill; lower refuses a person who uses several.

        limits.newPasswords
        New passwords, addresses, sets of recovery codes and seeds of authenticator apps that a session sets, or tries to \
        set, in an hour; an account, five times as many; also the passwords that are tried with one reset code.
        Higher lets a session make the service hash all day; lower refuses a person whose choices are denied.

        limits.factorTexts
        Texts to the factors of one account in an hour, and to one number that is a factor of several accounts, on known \
        devices together and on unknown devices together.
        Higher lets a thief of a password run up a bill; lower refuses the owner sooner.

        limits.textsFromOrigin
        Texts from one origin in an hour, except to a verified number on a known device.
        Higher lets one origin pump texts to paid numbers.

        limits.accountsFromOrigin
        New accounts with a password or without a method from one origin in a day.
        Higher lets one origin fill the store; lower stops people behind a shared address.

        limits.visitsFromOrigin
        Visits to providers, nonces for signing in, and waiting conflicts and challenges, from one origin in ten minutes, \
        except on a device that the account knows.
        Higher lets one origin fill the store; lower stops people behind a shared address.

        limits.visitsOfAccount
        The same in one session, or on one device that the account knows, in ten minutes; for an account, five times as \
        many.
        Higher lets a stolen session fill the store; lower stops a person who tries several providers.

        limits.unknownOriginFactor
        How many times the numbers of one origin all requests of unknown origin have together.
        Higher weakens every limit by origin on a server that states none; lower makes all its callers wait for each other.

        limits.firstWait
        The first wait; each further wrong attempt doubles it.
        Shorter lets more guesses through; longer punishes a typing error.

        limits.longestWait
        The longest wait.
        Shorter lets more guesses through in a day; longer keeps an owner on a new device out.

        limits.longestOriginWait
        The longest wait of an origin.
        Longer keeps everyone behind a shared address out.

        limits.halfLife
        The time in which a count of wrong attempts halves.
        Shorter forgets an attack sooner; longer remembers typing errors for longer.

        liveMailCodes
        How many mailed codes of one kind an account may have at once.
        Lower lets a stranger's requests make the owner's code void; higher leaves more codes to find in a mailbox.

        factorLimit
        How many second factors an account may have.
        Without a limit, an account grows as its owner, or a thief, likes.

        passwordRule.minimumLength
        The minimum number of characters of a password.
        Lower makes guessing cheap; NIST asks for eight beside a second factor and fifteen alone.

        passwordRule.minimumLengthAlone
        The minimum number of characters where the account has no second factor.
        Without it, passwords are as short as beside a second factor.

        passwordRule.maximumBytes
        The maximum number of bytes of a password.
        Higher lets a stranger make the service hash long texts; lower refuses long passphrases.

        passwordRule.deniesCommon
        Whether the passwords that attackers try first are denied.
        Without it, a few guesses for each account open some of them.

        sessions.perAccount
        How many sessions an account may have.
        Without a limit, an account grows with every sign-in; with a low one, devices are signed out.

        delivery.tries
        The failed tries after which a message is given up.
        Lower gives up during a short failure of the mail server; higher sends codes that are long over.
        """
}
