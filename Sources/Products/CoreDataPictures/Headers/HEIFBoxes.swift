/// The boxes of HEIC and AVIF: ISO/IEC 14496-12 with 23008-12.
struct HEIFBoxes {
    private typealias Box = (kind: String, content: Range<Int>)
    /// The most boxes that are looked at within one.
    private static let bound = 1_000

    /// The size of the largest picture in the file as it is shown: tiles, parts and previews are smaller.
    ///
    /// The box `irot` counts, and no EXIF: that is how these formats are read everywhere.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        // A version and flags stand before what "meta" has in it.
        guard let meta = boxes(bytes, 0..<bytes.count).first(where: { $0.kind == "meta" })?.content, meta.count >= 4,
            let properties = boxes(bytes, meta.dropFirst(4)).first(where: { $0.kind == "iprp" })?.content,
            let all = boxes(bytes, properties).first(where: { $0.kind == "ipco" })?.content
        else { return nil }
        let found = boxes(bytes, all)
        let sizes = found.compactMap { box -> PixelSize? in
            guard box.kind == "ispe", let width = bytes.big(box.content.lowerBound + 4, 4),
                let height = bytes.big(box.content.lowerBound + 8, 4), box.content.count >= 12
            else { return nil }
            return PixelSize(width: width, height: height)
        }
        let turns = found.first { $0.kind == "irot" }.flatMap { bytes.byte($0.content.lowerBound) } ?? 0
        guard let greatest = sizes.max(by: { $0.count < $1.count }) else { return nil }
        return turns & 1 == 1 ? greatest.turned : greatest
    }

    /// The boxes in a range, up to the first that is not whole.
    private static func boxes(_ bytes: PictureBytes, _ range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while found.count < bound, place <= range.upperBound - 8, let short = bytes.big(place, 4),
            let name = bytes.bytes(place + 4, 4)
        {
            var (header, length) = (8, short)
            if short == 0 { length = range.upperBound - place }
            if short == 1 {
                guard bytes.byte(place + 8) == 0, let long = bytes.big(place + 9, 7) else { break }
                (header, length) = (16, long)
            }
            guard length >= header, length <= range.upperBound - place else { break }
            found.append((String(decoding: name, as: UTF8.self), place + header..<place + length))
            place += length
        }
        return found
    }
}
