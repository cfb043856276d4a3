extension PolicyChoice {
    /// The choices of rules.
    static let rules = """
        accountsPerEmail
        How many accounts one address may have.
        With multiple, no identity is ever matched by its address: a person who signs in with another method gets another account.

        disclosure
        What a stranger learns by naming an address or a number.
        With detailed, a list of addresses can be tried to learn who has an account; with uniform, the app cannot tell a \
        mistyped address from a wrong password.

        addressTrust
        What a provider's statement about an address is worth.
        With verifiedFlag, any provider that can be made to say "verified" opens the accounts of other people.

        joining
        When a new identity is linked automatically to the account that has its address.
        With whenVerified, an attacker who got the owner to open a verification mail shares the account with the owner.

        unverifiedOwner
        What happens to an account that never verified its address when another person verifies it.
        With takenOver, an account with other people's data or methods is taken over; with adopted, more people meet a \
        conflict.

        unverifiedEmailChange
        What happens when an unverified address would replace a verified one.
        With allowed, a thief of a session moves the account to an unverified address, and the owner's mailbox no \
        longer recovers it.

        passwordReset
        What a password reset does to linked identities.
        With removesFederated, the owner loses every provider; numbers that an attacker linked stay usable.

        addressReservation
        Which addresses belong to one account only.
        With everyAddress, anyone blocks an address by signing up with it.

        emailRecovery
        When an address change can be undone, and to which address.
        With firstAddress, an attacker who held the account first can take it back.

        revokesSessionsOn
        What ends all sessions but the acting one.
        Each trigger that is left out lets sessions of a former or planted user go on after that change.

        blocksRemovedIssuers
        Whether removing an identity keeps its issuer from joining by itself again.
        Without it, a stolen provider account that the owner removed joins again at its next sign-in.

        lastMethod
        Whether the last method that can sign in may be removed.
        With removable, a person locks themselves out of the account.

        recycledSubject
        What happens when another identity of a linked provider signs in with the account's address.
        With replaces, the new holder of a recycled mailbox replaces the owner's identity.

        joinProfile
        What the profile of an automatically linked identity does to the account's profile.
        With overwrites, the name and picture that the person chose are lost.

        phoneWithFactors
        Whether a number can sign in to an account with second factors.
        With refused, a person whose only method is the number cannot enroll a factor and sign in again.

        removedMethod
        What happens to sessions of a method that is removed or whose provider is disabled.
        With keepsItsSessions, a removed attacker stays signed in.

        recencyNeedsFactor
        Whether operations that need a recent login also need the second factor.
        Without it, a stolen password changes the address of an account that has a factor.

        customTokensAreRecent
        Whether a token of the app's own server counts as a login when it is presented; if not, at the time that it states.
        With it, a server that signs without asking the person lets old sessions make sensitive changes.

        factorChangeNeedsFactor
        Whether a session must have presented a factor to change the factors.
        Without it, a thief of a first factor removes the second.

        disabledProviders
        Providers that are disabled.
        People who have no other method cannot sign in while theirs is disabled.

        sendsNotices
        Whether verified addresses are told of changes of methods, factors and the address, and may report them.
        Without it, the owner does not learn that an attacker added a method.

        concealsSignUp
        Whether signing up tells that an address is taken.
        With it, a new account is provisional until its address is verified, and the app must say so.

        endsAddressChanges
        Whether ending other sessions also cancels address changes that are not completed.
        Without it, a change that an attacker requested can be completed after the owner recovered the account (PH-4).

        linkNonce
        Where linking and reauthenticating by an ID token need a nonce of the service.
        With never, an ID token that was taken elsewhere links the attacker's identity on a server.
        """
}
