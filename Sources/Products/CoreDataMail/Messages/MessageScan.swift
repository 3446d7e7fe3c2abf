import CoreDataGraph

/// Looks through a message that is to be sent for what servers refuse, or change, after they have got it all.
enum MessageScan {
    /// RFC 5321, 4.5.3.1.6, without CR LF.
    private static let longestLine = 998

    /// Checks a file and returns its size.
    ///
    /// - Throws: ``MailError``, with the line that is wrong.
    static func check(_ url: URL) throws -> Int64 {
        let handle: FileHandle
        do { handle = try FileHandle(forReadingFrom: url) } catch { throw unusable(url, error) }
        defer { try? handle.close() }
        var (size, line, length, previous): (Int64, Int, Int, UInt8) = (0, 1, 0, 0)
        func refuse(_ what: String) -> MailError {
            MailError(
                .invalidMessage, "line \(line) of the message \(what)",
                hint: "write messages by MailMessage.write, or encode such content as MIME does")
        }
        while let block = try read(handle, url) {
            size += Int64(block.count)
            for byte in block {
                switch byte {
                case 10:
                    guard previous == 13 else { throw refuse("ends with LF alone, which servers refuse or change") }
                    (line, length) = (line + 1, 0)
                case 0: throw refuse("has a zero byte")
                case 0x80...: throw refuse("has a byte above 127, which not all servers take")
                default:
                    guard previous != 13 else { throw refuse("has CR without LF") }
                    if byte != 13 { length += 1 }
                    guard length <= longestLine else {
                        throw refuse("is longer than \(longestLine) bytes, which servers refuse")
                    }
                }
                previous = byte
            }
        }
        guard size > 0, previous == 10 else { throw refuse("does not end with CR LF") }
        return size
    }

    /// The next block; nil at the end.
    private static func read(_ handle: FileHandle, _ url: URL) throws -> Data? {
        do {
            guard let block = try handle.read(upToCount: 65_536), !block.isEmpty else { return nil }
            return block
        } catch { throw unusable(url, error) }
    }

    static func unusable(_ url: URL, _ error: any Error) -> MailError {
        MailError(
            .unusableFile, "\(url.path) cannot be read: \(error.localizedDescription)",
            hint: "see that the file exists and may be read")
    }
}
