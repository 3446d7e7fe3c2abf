/// Detects stored URIs that can be written unchanged.
///
/// An object has the `URL` created from the stored text; `URL` escapes invalid characters and refuses some texts.
/// Creating a `URL` for each row takes much longer than writing the text. `URL` does not change a text that is plain.
enum PlainURI {
    /// Whether a text is `scheme://host` or `scheme://host:port`, with a path, query and fragment of characters that
    /// need no escaping.
    static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count, isAlphanumeric(bytes[place]) { place += 1 }
        guard place > 0, !isDigit(bytes[0]), place + 3 < bytes.count, bytes[place] == UInt8(ascii: ":"),
            bytes[place + 1] == UInt8(ascii: "/"), bytes[place + 2] == UInt8(ascii: "/")
        else { return false }
        place += 3
        let host = place
        while place < bytes.count, isHost(bytes[place]) { place += 1 }
        guard place > host else { return false }
        if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
            let port = place + 1
            place = port
            while place < bytes.count, isDigit(bytes[place]) { place += 1 }
            guard (1...4).contains(place - port) else { return false }
        }
        return place == bytes.count
            || (bytes[place] == UInt8(ascii: "/") && isPlainPath(UnsafeRawBufferPointer(rebasing: bytes[place...])))
    }

    private static func isPlainPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        var hasFragment = false
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "%"):
                guard place + 2 < bytes.count, isHexadecimal(bytes[place + 1]), isHexadecimal(bytes[place + 2]) else {
                    return false
                }
                place += 2
            case UInt8(ascii: "#"):
                guard !hasFragment else { return false }
                hasFragment = true
            case let byte: guard isAlphanumeric(byte) || isMark(byte) else { return false }
            }
            place += 1
        }
        return true
    }

    @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    @inline(__always) private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }

    @inline(__always) private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
    }

    @inline(__always) private static func isHost(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// The unreserved and reserved characters of paths and queries.
    @inline(__always) private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            true
        default: false
        }
    }
}
