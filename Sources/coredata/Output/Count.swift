/// Numbers of things in words.
enum Count {
    /// `1 object`, `2 objects`.
    static func objects(_ number: Int) -> String { "\(number) object\(number == 1 ? "" : "s")" }
}
