import CoreDataStore

/// A set of Unicode scalars as a class of a regular expression has it: ranges side by side.
///
/// Made of the tables of the standard library here, so that no answer depends on those of the server.
struct ScalarClass: Sendable {
    /// What stands between the brackets.
    let ranges: String

    init(_ numbers: some Sequence<UInt32>) {
        var text = String.UnicodeScalarView()
        var open: (first: UInt32, last: UInt32)?
        func close() {
            guard let (first, last) = open, let start = Unicode.Scalar(first), let end = Unicode.Scalar(last) else {
                return
            }
            text.append(start)
            guard last > first else { return }
            if last > first + 1 { text.append("-") }
            text.append(end)
        }
        for number in numbers {
            if let (first, last) = open, number == last + 1 {
                open = (first, number)
            } else {
                close()
                open = (number, number)
            }
        }
        close()
        ranges = String(text)
    }

    /// The scalars of the planes in use, without ASCII, that something holds for.
    init(where holds: (Unicode.Scalar) -> Bool) { self.init(Self.scalars.filter(holds).map(\.value)) }

    var isEmpty: Bool { ranges.isEmpty }
    var bracket: String { "[\(ranges)]" }

    /// Scalars beyond ASCII that may be letters or marks: planes 0 and 1, and the selectors of plane 14.
    static var scalars: some Sequence<Unicode.Scalar> {
        [0x80..<0x20000, 0xE0000..<0xE1000].lazy.joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
    }
}
