extension PolicyChoice {
    /// The choices that are durations.
    static let times = """
        evidenceLifetime
        How long a verification of an address allows automatic linking; at gmail.com always.
        Without a limit, the next holder of a mailbox joins the account of the last one.

        phoneEvidenceLifetime
        How long a verification of a number is enough where its owner can sign in without it, and for a number that is \
        to be the only method left.
        Without a limit, the next holder of a recycled number signs in.

        settledAfter
        How long an identity or a number that the mailbox covers must have been linked to stay after a password reset.
        Shorter keeps identities that an attacker linked; longer suspends the owner's.

        seniority
        How old a login must be to change methods that are older.
        Without it, a thief who added a method yesterday removes the owner's today.

        recency.interval
        How recent a login must be for a sensitive operation.
        Longer lets a found phone change the account; shorter asks the person again in the middle of a task.

        recency.operations
        The operations that need a recent login.
        Each operation that is left out is open to a stolen session for as long as the session lasts.

        deletionGrace
        How long a person can cancel the deletion of their account by signing in or by a new password by mail.
        Without it, a thief's deletion is final; with it, the data stays for that time.

        unverifiedLifetime
        How long an account without any verification and without sessions is kept.
        Without it, accounts that claim other people's addresses pile up.

        factorRecoveryWait
        How long a person who lost all factors waits after verifying the mailbox.
        Shorter gives the owner less time to cancel what a thief of the mailbox began; none leaves it to administrators.

        lifetimes.mailCode
        How long a mailed code is good that verifies or changes an address or sets a password.
        Longer leaves codes in mailboxes that others may read; shorter fails people whose mail is slow.

        lifetimes.signInLink
        How long a mailed sign-in link is good.
        Longer leaves a way to sign in lying in a mailbox; ASVS asks for ten minutes.

        lifetimes.phoneCode
        How long digits that were sent to a number are good.
        Longer gives a guesser more time; shorter fails people whose texts are slow.

        lifetimes.pendingIdentity
        How long the identity of a conflict is kept.
        Longer leaves it to the next person at the device; shorter sends the owner to the provider again.

        lifetimes.nonce
        How long a nonce for an ID token is good.
        Longer gives a stolen token more time; shorter fails people who are slow at the provider.

        lifetimes.factorChallenge
        How long a challenge for a second factor is good.
        Longer gives a thief of the first factor more time.

        lifetimes.emailRecovery
        How long the code that undoes an address change is good.
        Shorter fails owners who read mail seldom; longer keeps the old address reserved.

        lifetimes.notice
        How long the code that reports an unauthorized change is good.
        Shorter fails owners who read mail seldom.

        lifetimes.mergeIntent
        How long the hooks of a merge may prepare, while both accounts are locked.
        Shorter cancels merges whose hooks are slow; longer locks accounts of a merge that failed.

        lifetimes.mergeUndo
        How long a merge can be undone; none if 0.
        Shorter leaves a merge by a thief standing.

        lifetimes.idToken
        How long an ID token is good.
        Longer lets a signed-out token work on servers that check only its signature; shorter refreshes more often.

        sessions.idle
        How long a session may be unused.
        Without a limit, a lost device stays signed in forever.

        sessions.absolute
        How long a session lasts after the person last authenticated in it.
        Without a limit, a session that is used every day never asks again.

        sessions.guestIdle
        How long a session of an anonymous account may be unused.
        Shorter loses the data of guests, who cannot sign in again.

        delivery.lease
        How long one try to send a message may take before another may begin.
        Shorter sends a message twice; longer delays it after a crash.

        delivery.firstWait
        The wait after the first failed try; it doubles with each further one.
        Shorter tries a failing server often; longer delays a code.

        delivery.longestWait
        The longest wait between two tries.
        Longer sends a message late after a failure has ended.

        delivery.age
        The age at which a message is given up.
        Longer sends notices of changes that are long past.

        delivery.kept
        How long a message that was given up stays visible to operators.
        Shorter hides a failing mail server from operators; longer keeps old messages, with what they contain.
        """
}
