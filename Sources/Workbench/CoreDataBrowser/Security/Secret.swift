/// Strings that cannot be guessed.
package enum Secret {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// A text of 43 letters, digits, `-` and `_`: more than 256 bits of the system's random generator.
    static func random() -> String { random(43) }

    /// A random name, so long that two tabs never get the same one.
    static func name() -> String { random(16) }

    private static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in digits[Int(generator.next() & 63)] })
    }

    /// Whether two texts are equal; the time of the comparison reveals only whether their lengths differ.
    package static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
