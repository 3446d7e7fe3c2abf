import CGMime
import CoreDataGraph

/// The text of a message as it is written: its line breaks, and the encoding that its lines and letters need.
struct BodyText {
    /// With LF; the library writes them as CR LF.
    let bytes: [UInt8]
    let encoding: cgmime_encoding
    let charset: String

    /// RFC 5322 allows lines of 998 bytes and asks for 78; GMime leaves a paragraph of ASCII as one line, however long.
    private static let longestLine = 78

    init(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 1)
        var previous: UInt8 = 0
        var (others, lineStart, hasLongLine, hasControl) = (0, 0, false, false)
        for byte in text.utf8 {
            defer { previous = byte }
            // CR LF and CR alone end a line as LF does.
            if byte == 10, previous == 13 { continue }
            let written = byte == 13 ? 10 : byte
            if written == 10 {
                hasLongLine = hasLongLine || bytes.count - lineStart > Self.longestLine
                lineStart = bytes.count + 1
            } else if written >= 0x80 {
                others += 1
            } else if written < 0x20 && written != 9 || written == 0x7F {
                hasControl = true
            }
            bytes.append(written)
        }
        hasLongLine = hasLongLine || bytes.count - lineStart > Self.longestLine
        if bytes.last != 10 { bytes.append(10) }
        self.bytes = bytes
        charset = others == 0 ? "us-ascii" : "utf-8"
        if others == 0, !hasLongLine, !hasControl {
            encoding = cgmime_plain
        } else {
            // Quoted, each such byte takes three; base64 takes four for any three, and no reader without a decoder can read it.
            encoding = others * 6 > bytes.count ? cgmime_base64 : cgmime_quoted_printable
        }
    }

    /// Base64 hides the line breaks from the library, which then leaves them: RFC 2046, 4.1.1 wants CR LF.
    var content: [UInt8] {
        guard encoding == cgmime_base64 else { return bytes }
        return bytes.reduce(into: []) { result, byte in
            if byte == 10 { result.append(13) }
            result.append(byte)
        }
    }
}
