import Foundation

extension Arguments {
    /// The seconds that an option's value names as a number with `s`, `m`, `h` or `d`; nil if it was not given.
    ///
    /// - Throws: `UsageError` for another value.
    func duration(_ option: String) throws -> TimeInterval? {
        guard let text = self[option] else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
            (1...100_000).contains(number)
        else { throw error("--\(option) takes a time such as 15s, 10m, 2h or 1d, not '\(PlaceWord.shown(text))'") }
        return Double(number) * unit
    }
}
