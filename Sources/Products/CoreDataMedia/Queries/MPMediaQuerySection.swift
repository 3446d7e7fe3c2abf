import Foundation

/// The items or collections of a query that begin with the same letter.
public struct MPMediaQuerySection: Sendable, Hashable {
    /// The letter in upper case, without accents; `#` for all that begin with none.
    public let title: String
    /// The places in the items or collections.
    public let range: Range<Int>

    /// The sections of titles that are sorted.
    static func sections(_ titles: [String?]) -> [MPMediaQuerySection] {
        var sections: [MPMediaQuerySection] = []
        for (index, title) in titles.enumerated() {
            let letter = letter(title)
            if let last = sections.last, last.title == letter {
                sections[sections.count - 1] = MPMediaQuerySection(
                    title: letter, range: last.range.lowerBound..<(index + 1))
            } else {
                sections.append(MPMediaQuerySection(title: letter, range: index..<(index + 1)))
            }
        }
        return sections
    }

    private static func letter(_ title: String?) -> String {
        guard let first = title?.first(where: { !$0.isWhitespace }), first.isLetter else { return "#" }
        return String(first).folding(options: [.diacriticInsensitive], locale: nil).uppercased()
    }
}
