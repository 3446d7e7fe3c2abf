/// Strings that cannot be guessed.
package enum Secret {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// A text of 43 letters, digits, `-` and `_`, of 256 bits by the system's generator.
    static func random() -> String { random(43) }

    /// A name that two tabs do not share by chance.
    static func name() -> String { random(16) }

    private static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in digits[Int(generator.next() & 63)] })
    }

    /// Whether two texts are the same, in a time that reveals only whether their lengths differ.
    package static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
