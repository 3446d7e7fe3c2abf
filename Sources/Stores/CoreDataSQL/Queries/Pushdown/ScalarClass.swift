import CoreDataStore

/// A set of Unicode scalars in the form of a regular expression's class: ranges side by side.
///
/// It is computed with the tables of Swift's standard library, so that no result depends on those of the server.
struct ScalarClass: Sendable {
    /// The text between the brackets.
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

    /// Collects the scalars outside of ASCII, among `scalars`, for which `holds` returns true.
    init(where holds: (Unicode.Scalar) -> Bool) { self.init(Self.scalars.filter(holds).map(\.value)) }

    var isEmpty: Bool { ranges.isEmpty }
    var bracket: String { "[\(ranges)]" }

    /// The scalars outside of ASCII that may be letters or marks: planes 0 and 1, and the variation selectors of plane
    /// 14.
    static var scalars: some Sequence<Unicode.Scalar> {
        [0x80..<0x20000, 0xE0000..<0xE1000].lazy.joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
    }
}
