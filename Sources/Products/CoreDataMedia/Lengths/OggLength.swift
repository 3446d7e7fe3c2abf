/// The length of a sound in an Ogg container with one stream: the position of its last page, without what a decoder drops at the
/// beginning.
///
/// Source of the format: RFC 3533, section 6; Vorbis I, section 4.2.2; RFC 7845, section 5.1; the mapping of FLAC to Ogg.
enum OggLength {
    private static let block = 64 << 10

    static func seconds(_ file: SoundFile) -> Double? {
        let head = file.bytesUpToEnd(at: 0, count: 4_096)
        guard let first = page(head, at: 0), first.isBeginning, let sound = sound(head, at: first.body),
            let second = page(head, at: first.end), !second.isBeginning
        else { return nil }
        let start = max(0, file.size - block)
        let tail = file.bytesUpToEnd(at: start, count: block)
        var offset = tail.count - 27
        while offset >= 0 {
            defer { offset -= 1 }
            guard tail.has("OggS", at: offset), let last = page(tail, at: offset) else { continue }
            guard last.serial == first.serial else { return nil }
            guard let position = last.position else { continue }
            let samples = Double(position) - Double(sound.skipped)
            return samples >= 0 ? samples / Double(sound.rate) : nil
        }
        return nil
    }

    private struct Page {
        let serial: UInt64
        /// In samples; nil if no packet ends in the page.
        let position: UInt64?
        let isBeginning: Bool
        let body, end: Int
    }

    private static func page(_ bytes: [UInt8], at offset: Int) -> Page? {
        guard bytes.has("OggS", at: offset), let position = bytes.little(offset + 6, 8),
            let serial = bytes.little(offset + 14, 4), let count = bytes.little(offset + 26, 1),
            offset + 27 + Int(count) <= bytes.count
        else { return nil }
        let body = offset + 27 + Int(count)
        let length = (0..<Int(count)).reduce(0) { $0 + Int(bytes[offset + 27 + $1]) }
        return Page(
            serial: serial, position: position > UInt64(Int64.max) ? nil : position,
            isBeginning: bytes[offset + 5] & 2 != 0, body: body, end: body + length)
    }

    private static func sound(_ bytes: [UInt8], at offset: Int) -> (rate: UInt64, skipped: UInt64)? {
        if bytes.has("\u{1}vorbis", at: offset), let rate = bytes.little(offset + 12, 4), rate > 0 { return (rate, 0) }
        if bytes.has("OpusHead", at: offset), let skipped = bytes.little(offset + 10, 2) { return (48_000, skipped) }
        if bytes.has("\u{7F}FLAC", at: offset), let word = bytes.big(offset + 27, 4), word >> 12 > 0 {
            return (word >> 12, 0)
        }
        return nil
    }
}
