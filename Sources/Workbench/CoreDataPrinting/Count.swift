/// Writes numbers of things with their nouns.
package enum Count {
    /// `1 object`, `2 objects`.
    package static func objects(_ number: Int) -> String { "\(number) object\(number == 1 ? "" : "s")" }

    /// `1 transaction`, `2 transactions`.
    package static func transactions(_ number: Int) -> String { "\(number) transaction\(number == 1 ? "" : "s")" }
}
