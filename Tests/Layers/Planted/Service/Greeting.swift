/// What a folder below it must not know; the folder beside it is in no order.
struct Greeting {
    var memory: Memory? { nil }
}

extension Name {
    func greetTwice() async { _ = await (greet(), greet()) }
}
