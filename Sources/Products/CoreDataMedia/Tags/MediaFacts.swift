import Foundation

/// What is known of a media file from its tags and its headers; anything may be missing.
struct MediaFacts: Sendable, Equatable {
    var title: String?
    /// Lists stay lists: several artists of one song, or several genres.
    var artists: [String] = []
    var albumTitle: String?
    var albumArtist: String?
    var composers: [String] = []
    var genres: [String] = []
    var comments: String?
    var lyrics: String?
    var grouping: String?
    var trackNumber: Int?
    var trackCount: Int?
    var discNumber: Int?
    var discCount: Int?
    var beatsPerMinute: Int?
    var isCompilation = false
    var releaseDate: Date?
    var type: MPMediaType = []
    var mimeType: String?
    /// In seconds.
    var duration: Double?
    /// As shown, after turning.
    var width: Int?
    var height: Int?
    /// The bytes of the greatest picture that is embedded, 0 if they are not known; nil without a picture.
    var artworkSize: Int?
    /// Why the file cannot be used, for people.
    var problem: String?
}

/// Texts of tags as numbers and dates.
enum TagText {
    /// `3/9` and `3 of 9` as two numbers; a part that is no number is missing.
    static func pair(_ text: String?) -> (number: Int?, count: Int?) {
        guard let text else { return (nil, nil) }
        let parts = text.replacingOccurrences(of: " of ", with: "/").split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return (number(parts.first.map(String.init)), parts.count > 1 ? number(String(parts[1])) : nil)
    }

    /// A positive whole number of at most six digits; `120.0` is one.
    static func number(_ text: String?) -> Int? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), text.count <= 16, let value = Double(text),
            value >= 1, value < 1_000_000
        else { return nil }
        return Int(value)
    }

    static func isTrue(_ text: String?) -> Bool {
        guard let text else { return false }
        return ["1", "yes", "true"].contains(text.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// A date as `2001`, `2001-02` or `2001:02:03 …`, in UTC; parts that are missing are the first of theirs.
    static func date(_ text: String?) -> Date? {
        guard let text else { return nil }
        let numbers = text.prefix(10).split(whereSeparator: { !$0.isASCII || !$0.isNumber }).map { Int($0) ?? 0 }
        guard let year = numbers.first, (1...9_999).contains(year) else { return nil }
        return date(year, numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
    }

    static func date(_ year: Int, _ month: Int, _ day: Int) -> Date? {
        guard (1...12).contains(month), (1...31).contains(day) else { return date(year, 1, 1) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day))
    }
}
