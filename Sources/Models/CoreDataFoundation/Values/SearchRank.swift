/// A ranking of records by how well the texts at key paths match the words of a search.
package struct SearchRank: Sendable, Hashable {
    package let words: String
    package let keyPaths: [String]
    private let distinctWords: Set<String>

    package init(words: String, keyPaths: [String]) {
        self.words = words
        self.keyPaths = keyPaths
        distinctWords = Set(SearchWords.words(of: words))
    }

    /// The sum of the scores of a record's texts, which the closure reads by key path; values other than texts add 0.
    package func value(_ text: (String) throws -> Any?) rethrows -> Int {
        var sum: Int64 = 0
        for path in keyPaths {
            guard let text = try text(path) as? String else { continue }
            sum &+= SearchScore.score(of: distinctWords, in: text)
        }
        return Int(clamping: sum)
    }
}
