import Foundation

/// A word of a text and when it is spoken.
public struct SpokenWord: Sendable, Equatable {
    /// The word in the text, in UTF-16 as `NSString` counts.
    public let range: NSRange
    /// Seconds from the beginning of the sound.
    public let time: Double
}

/// An event of libespeak-ng: characters of the text as Unicode scalars, from 0.
struct WordEvent: Equatable {
    let position: Int
    let length: Int
    let time: Double

    init(position: Int, length: Int, time: Double) {
        (self.position, self.length, self.time) = (position, length, time)
    }

    /// A line of `coredata-speech`: position, length, milliseconds.
    init?(_ line: Substring) {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3, numbers[2] >= 0 else { return nil }
        (position, length, time) = (numbers[0], numbers[1], Double(numbers[2]) / 1_000)
    }
}

/// The words of a text with their times, made of the library's events, which do not cover it.
///
/// Invariants of the result:
/// 1. Each word of the text is there once, in the order of the text.
/// 2. Times do not decrease.
enum SpokenWords {
    /// - Parameters:
    ///   - events: As the library gives them: short, doubled, going backwards, missing.
    ///   - duration: Of the sound, in seconds.
    static func words(of text: String, _ events: [WordEvent], duration: Double) -> [SpokenWord] {
        let ranges = scalarRanges(of: text)
        var times = [Double?](repeating: nil, count: ranges.count)
        var (next, last) = (0, 0.0)
        for event in events where event.length > 0 && event.time >= last && event.time <= duration {
            // An event belongs to the word in which it lies; one that starts early, in what stands before a word, to that word. What
            // goes backwards and further events of one word, as a number has them, are left out.
            let end = event.position + event.length
            guard let word = ranges[next...].firstIndex(where: { $0.upperBound > event.position }),
                ranges[word].lowerBound < end
            else { continue }
            times[word] = event.time
            (next, last) = (word + 1, event.time)
        }
        fill(&times, duration)
        let offsets = utf16Offsets(of: text)
        return zip(ranges, times).map { range, time in
            let start = offsets[range.lowerBound]
            return SpokenWord(
                range: NSRange(location: start, length: offsets[range.upperBound] - start), time: time ?? 0)
        }
    }

    /// Gives words without an event times between those of their neighbours.
    private static func fill(_ times: inout [Double?], _ duration: Double) {
        var (known, time) = (-1, 0.0)
        for place in 0...times.count {
            let here = place < times.count ? times[place] : duration
            guard let here else { continue }
            let step = (here - time) / Double(place - known)
            // The first words start with the sound, not within.
            for missing in (known + 1)..<place {
                times[missing] = known < 0 ? step * Double(missing) : time + step * Double(missing - known)
            }
            (known, time) = (place, here)
        }
    }

    /// The words: what stands between white space, without punctuation at its ends.
    private static func scalarRanges(of text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, end): (Int?, Int) = (nil, 0)
        var position = 0
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if let first = start { ranges.append(first..<end) }
                start = nil
            } else if isLetter(scalar) {
                if start == nil { start = position }
                end = position + 1
            }
            position += 1
        }
        if let first = start { ranges.append(first..<end) }
        return ranges
    }

    /// Letters, digits, marks and symbols that are spoken.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .currencySymbol, .mathSymbol,
            .otherSymbol:
            true
        default: scalar == "%" || scalar == "&" || scalar == "@"
        }
    }

    /// The offsets of scalars in UTF-16, with that of the end.
    private static func utf16Offsets(of text: String) -> [Int] {
        var (offsets, offset) = ([Int](), 0)
        for scalar in text.unicodeScalars {
            offsets.append(offset)
            offset += UTF16.width(scalar)
        }
        return offsets + [offset]
    }
}
