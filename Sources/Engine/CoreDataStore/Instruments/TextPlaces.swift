/// A cache of the numbers of recent texts, keyed by the address of a text's storage instead of its contents.
///
/// Invariant: the cache retains each of its texts, so that no other text can get the same address.
struct TextPlaces {
    private struct Entry {
        var place: (UInt64, UInt64) = (0, 0)
        var text = ""
        var number: UInt32 = 0
    }

    private static let count = 256
    private var entries = [Entry](repeating: Entry(), count: count)

    /// The number of a text; 0 for a text that is not in the cache.
    func number(of text: String) -> UInt32 {
        let place = Self.place(of: text)
        let index = Self.index(place)
        return entries[index].place == place ? entries[index].number : 0
    }

    mutating func note(_ text: String, _ number: UInt32) {
        let place = Self.place(of: text)
        entries[Self.index(place)] = Entry(place: place, text: text, number: number)
    }

    /// The two words of a string's value: the address and length of its storage, or the characters of a short string.
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
