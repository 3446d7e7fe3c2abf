/// The first directory of a TIFF, which EXIF is too: TIFF 6.0, section 2, and CIPA DC-008, 4.6.
struct TIFFDirectory {
    /// The tags that are looked for.
    private enum Tag { static let (width, height, orientation) = (0x0100, 0x0101, 0x0112) }
    /// The most entries that are looked at.
    private static let bound = 500

    private var values: [Int: Int] = [:]

    /// - Parameter start: Where the TIFF begins within the bytes; offsets count from there.
    init?(_ bytes: PictureBytes, at start: Int) {
        let isLittle: Bool
        if bytes.has("II", at: start) {
            isLittle = true
        } else if bytes.has("MM", at: start) {
            isLittle = false
        } else {
            return nil
        }
        func number(_ place: Int, _ length: Int) -> Int? {
            isLittle ? bytes.little(place, length) : bytes.big(place, length)
        }
        guard number(start + 2, 2) == 42, let offset = number(start + 4, 4), let count = number(start + offset, 2)
        else { return nil }
        for index in 0..<min(count, Self.bound) {
            let entry = start + offset + 2 + index * 12
            guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { break }
            guard [Tag.width, Tag.height, Tag.orientation].contains(tag), values[tag] == nil else { continue }
            // Numbers of two and of four bytes.
            if let value = type == 3 ? number(entry + 8, 2) : type == 4 ? number(entry + 8, 4) : nil {
                values[tag] = value
            }
        }
    }

    var size: PixelSize? {
        guard let width = values[Tag.width], let height = values[Tag.height] else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// How the picture is turned, 1 to 8; 1 where nothing valid is said.
    var orientation: Int {
        let value = values[Tag.orientation] ?? 1
        return (1...8).contains(value) ? value : 1
    }
}
