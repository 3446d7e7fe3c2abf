/// The boxes of a file of the ISO base media format, as AVIF has them.
struct AVIFBoxes {
    private let bytes: PictureBytes

    /// The boxes that are looked at within one.
    private static let greatestCount = 1_000

    init(_ bytes: PictureBytes) { self.bytes = bytes }

    /// Whether the file says that it is one of AVIF: by its first brand or a compatible one.
    var isAVIF: Bool {
        guard bytes.has("ftyp", at: 4), let length = bytes.big4(0), length >= 16, length <= bytes.count else {
            return false
        }
        let places = [8] + stride(from: 16, to: min(length, 4_096) - 3, by: 4)
        return places.contains { bytes.has("avif", at: $0) || bytes.has("avis", at: $0) }
    }

    /// The size of the greatest picture in the file: parts and previews of it are smaller.
    var size: (Int, Int)? {
        // A version and flags stand before what "meta" has in it.
        guard let meta = boxes(0..<bytes.count).first(where: { $0.kind == "meta" })?.content, meta.count >= 4,
            let properties = boxes(meta.dropFirst(4)).first(where: { $0.kind == "iprp" })?.content,
            let all = boxes(properties).first(where: { $0.kind == "ipco" })?.content
        else { return nil }
        let sizes = boxes(all).compactMap { box -> (Int, Int)? in
            guard box.kind == "ispe", box.content.count >= 12, let width = bytes.big4(box.content.lowerBound + 4),
                let height = bytes.big4(box.content.lowerBound + 8)
            else { return nil }
            return (width, height)
        }
        return sizes.max { area($0) < area($1) }
    }

    private func area(_ size: (Int, Int)) -> Double { Double(size.0) * Double(size.1) }

    /// The boxes in a range, up to the first that is not whole.
    private func boxes(_ range: Range<Int>) -> [(kind: String, content: Range<Int>)] {
        var found: [(kind: String, content: Range<Int>)] = []
        var place = range.lowerBound
        while found.count < Self.greatestCount, place <= range.upperBound - 8, let short = bytes.big4(place),
            let kind = kind(place + 4)
        {
            var (header, length) = (8, short)
            if short == 0 { length = range.upperBound - place }
            if short == 1 {
                // A length of 8 bytes, of which the upper half is 0 in what fits into memory.
                guard bytes.big4(place + 8) == 0, let long = bytes.big4(place + 12) else { break }
                (header, length) = (16, long)
            }
            guard length >= header, length <= range.upperBound - place else { break }
            found.append((kind, place + header..<place + length))
            place += length
        }
        return found
    }

    private func kind(_ place: Int) -> String? {
        let codes = (0..<4).compactMap { bytes.byte(place + $0) }.compactMap { UInt8(exactly: $0) }
        return codes.count == 4 ? String(decoding: codes, as: UTF8.self) : nil
    }
}
