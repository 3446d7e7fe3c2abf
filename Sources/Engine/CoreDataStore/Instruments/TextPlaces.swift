/// The numbers of texts that came lately, found by where a text lies instead of by what it says.
///
/// Invariant: every text that is found here is held, so that no other can lie in its place meanwhile.
struct TextPlaces {
    private struct Entry {
        var place: (UInt64, UInt64) = (0, 0)
        var text = ""
        var number: UInt32 = 0
    }

    private static let count = 256
    private var entries = [Entry](repeating: Entry(), count: count)

    /// The number of a text; 0 for one that did not come lately.
    func number(of text: String) -> UInt32 {
        let place = Self.place(of: text)
        let index = Self.index(place)
        return entries[index].place == place ? entries[index].number : 0
    }

    mutating func note(_ text: String, _ number: UInt32) {
        let place = Self.place(of: text)
        entries[Self.index(place)] = Entry(place: place, text: text, number: number)
    }

    /// The words of a text's value: a place and a length, or the characters of a short one.
    @inline(__always) private static func place(of text: String) -> (UInt64, UInt64) {
        var place: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: text) { value in
            withUnsafeMutableBytes(of: &place) { $0.copyMemory(from: value) }
        }
        return place
    }

    @inline(__always) private static func index(_ place: (UInt64, UInt64)) -> Int {
        let mixed = (place.0 ^ place.1 &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
