/// The length of a WAVE file: its data by its bytes a second.
///
/// Source of the format: Multimedia Programming Interface and Data Specifications 1.0 (IBM, Microsoft, 1991), chapter 3.
enum WAVLength {
    private static let greatestCount = 1_024

    static func seconds(_ file: SoundFile) -> Double? {
        guard let head = file.bytes(at: 0, count: 12), head.has("WAVE", at: 8) else { return nil }
        var (offset, rate) = (12, UInt64(0))
        for _ in 0..<greatestCount {
            guard let chunk = file.bytes(at: offset, count: 8), let size = chunk.little(4, 4) else { return nil }
            if chunk.has("fmt ", at: 0) {
                guard let format = file.bytes(at: offset + 8, count: 16), let bytes = format.little(8, 4) else {
                    return nil
                }
                // Only of forms without compression are the bytes a second exact.
                guard let form = format.little(0, 2), [1, 3, 6, 7, 0xfffe].contains(form) else { return nil }
                rate = bytes
            }
            if chunk.has("data", at: 0) {
                guard rate > 0, size != 0xffff_ffff, size > 0 else { return nil }
                return Double(min(Int(size), file.size - offset - 8)) / Double(rate)
            }
            offset += 8 + Int(size) + Int(size & 1)
        }
        return nil
    }
}
