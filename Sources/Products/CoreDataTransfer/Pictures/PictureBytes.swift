import Foundation

/// Bytes that are read by their offsets; nil for what is not there.
struct PictureBytes {
    private let data: Data

    init(_ data: Data) { self.data = data }

    var count: Int { data.count }

    func byte(_ place: Int) -> Int? {
        guard place >= 0, place < data.count else { return nil }
        return Int(data[data.startIndex + place])
    }

    func big2(_ place: Int) -> Int? { number(place, [1, 0]) }
    func big4(_ place: Int) -> Int? { number(place, [3, 2, 1, 0]) }
    func little2(_ place: Int) -> Int? { number(place, [0, 1]) }
    func little3(_ place: Int) -> Int? { number(place, [0, 1, 2]) }

    func has(_ expected: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place <= data.count - expected.count else { return false }
        return data.dropFirst(place).prefix(expected.count).elementsEqual(expected)
    }

    func has(_ text: String, at place: Int) -> Bool { has(Array(text.utf8), at: place) }

    /// The number whose bytes have these exponents of 256.
    private func number(_ place: Int, _ exponents: [Int]) -> Int? {
        guard place >= 0, place <= data.count - exponents.count else { return nil }
        return exponents.enumerated().reduce(0) { sum, part in
            sum | Int(data[data.startIndex + place + part.offset]) << (8 * part.element)
        }
    }
}
