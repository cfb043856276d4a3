extension Transaction {
    /// A message number that the decision does not use yet.
    var unusedNumber: Int {
        var number = changes.messages.count
        while changes.messages.contains(where: { $0.id == context.messageID(number) }) { number += 1 }
        return number
    }

    /// Writes as much as for a code that is mailed; the code is never sent, and what is written opens nothing.
    mutating func issueDecoy(of code: IssuedCode, _ content: OneTimeRecord.Content) {
        // The second one stands for the message.
        for key in [code.key, OneTimeRecordID(words: context.fresh.record)] {
            put(key, content, until: context.now + .minutes(10))
        }
    }

    /// Stores what the code permits, and puts the message with the code into the outbox.
    mutating func issue(
        _ code: IssuedCode,
        _ content: OneTimeRecord.Content,
        kind: Message.Kind,
        to recipient: Message.Recipient,
        account: AccountID?,
        lifetime: Duration,
        device: DeviceKey? = nil,
        settings: Message.Settings? = nil
    ) {
        issued.append(code)
        put(code.key, content, of: account, until: context.now + lifetime, on: device)
        enqueue(code, kind, to: recipient, about: account, lifetime: lifetime, settings: settings)
    }

    /// Puts a message into the outbox, whose code lives for this time if it has one; the service that commits it sends
    /// it first.
    mutating func enqueue(
        _ code: IssuedCode,
        _ kind: Message.Kind,
        to recipient: Message.Recipient,
        about account: AccountID?,
        lifetime: Duration? = nil,
        settings: Message.Settings? = nil
    ) {
        let age = context.policy.delivery.age
        changes.messages.append(
            OutboxEntry(
                id: code.message,
                kind: kind,
                recipient: recipient,
                record: code.key,
                account: account,
                settings: settings,
                createdAt: context.now,
                leasedUntil: context.now + context.policy.delivery.usableLease,
                expiresAt: context.now + min(lifetime ?? age, age)
            )
        )
    }

    /// Sends digits to a number for one use.
    mutating func issuePhoneCode(
        _ code: IssuedCode,
        to number: PhoneNumber,
        for use: Store.PhoneCode.Use,
        account: AccountID?
    ) {
        issue(
            code,
            .phoneCode(Store.PhoneCode(number: number, hash: code.hash, use: use)),
            kind: .phoneCode,
            to: .phone(number),
            account: account,
            lifetime: context.policy.lifetimes.phoneCode,
            device: context.device
        )
    }
}
