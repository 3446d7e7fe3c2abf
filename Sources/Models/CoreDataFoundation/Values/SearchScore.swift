/// How well a text matches the words of a search, in integer millionths: BM25 without the part that depends on other
/// texts.
///
/// The score depends on the text and the words only, so it is the same in every store, in memory, and with an index. It
/// is an integer, so that sums do not depend on the order of addition.
package enum SearchScore {
    /// BM25's k1: the lower, the less each further occurrence of a word adds.
    private static let saturation = 1.2
    /// BM25's b: the higher, the more a long text is scored below a short one.
    private static let lengthWeight = 0.75
    /// The length in words at which a text is scored neither higher nor lower for its length.
    private static let usualLength = 100.0

    /// The score of a text from the number of occurrences of each word and the text's length in words; 0 if a word is
    /// missing.
    package static func score(counts: some Sequence<Int64>, length: Int64) -> Int64 {
        let excess = saturation * (1 - lengthWeight + lengthWeight * Double(max(1, length)) / usualLength)
        var score: Int64 = 0
        for count in counts {
            guard count > 0 else { return 0 }
            let count = Double(count)
            let term = (count * (saturation + 1) / (count + excess) * 1_000_000).rounded()
            score += Int64(term)
        }
        // A text that has all words never scores 0.
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
