/// Writes numbers of things with their nouns.
enum Count {
    /// `1 object`, `2 objects`.
    static func objects(_ number: Int) -> String { "\(number) object\(number == 1 ? "" : "s")" }

    /// `1 transaction`, `2 transactions`.
    static func transactions(_ number: Int) -> String { "\(number) transaction\(number == 1 ? "" : "s")" }
}
