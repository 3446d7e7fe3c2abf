/// How well a text matches the words of a search, in integer millionths: the term of BM25 for the text itself.
///
/// It depends on the text and the words alone, so that it is the same in every store, in memory, and with an index. Integers
/// add up to the same sum in any order.
package enum SearchScore {
    /// How soon a further occurrence of a word counts little.
    private static let saturation = 1.2
    /// How much a long text counts less than a short one.
    private static let lengthWeight = 0.75
    /// The number of words of a text that counts neither more nor less for its length.
    private static let usualLength = 100.0

    /// The score of a text with so many occurrences of each word and so many words in all; 0 unless it has all of them.
    package static func score(counts: some Sequence<Int64>, length: Int64) -> Int64 {
        let excess = saturation * (1 - lengthWeight + lengthWeight * Double(max(1, length)) / usualLength)
        var score: Int64 = 0
        for count in counts {
            guard count > 0 else { return 0 }
            let count = Double(count)
            let term = (count * (saturation + 1) / (count + excess) * 1_000_000).rounded()
            score += Int64(term)
        }
        // What has all words is never taken for what has not.
        return length > 0 ? max(1, score) : 0
    }

    /// The score of a text for distinct words.
    package static func score(of words: Set<String>, in text: String) -> Int64 {
        guard !words.isEmpty else { return 0 }
        var counts: [String: Int64] = [:]
        var length: Int64 = 0
        for word in SearchWords.words(of: text) {
            length += 1
            if words.contains(word) { counts[word, default: 0] += 1 }
        }
        return counts.count == words.count ? score(counts: counts.values, length: length) : 0
    }
}
