/// A message of the kernel's routing socket, with its attributes; the format is that of `linux/netlink.h` and `linux/rtnetlink.h`.
///
/// Numbers are in the byte order of the machine. What does not fit into the bytes is refused, never read.
struct NetlinkMessage: Equatable {
    /// The types of messages that are looked at.
    enum Kind {
        static let error: UInt16 = 2
        static let done: UInt16 = 3
        static let newLink: UInt16 = 16
        static let deleteLink: UInt16 = 17
        static let getLink: UInt16 = 18
        static let newAddress: UInt16 = 20
        static let deleteAddress: UInt16 = 21
        static let newRoute: UInt16 = 24
        static let deleteRoute: UInt16 = 25
        static let getRoute: UInt16 = 26
    }

    /// Something in the bytes that is no message.
    struct Malformed: Error, Equatable {
        let offset: Int
    }

    static let headerSize = 16

    let kind: UInt16
    let flags: UInt16
    let sequence: UInt32
    /// What follows the header.
    let payload: ArraySlice<UInt8>

    /// The messages of one datagram.
    ///
    /// - Throws: ``Malformed`` with the offset of a message that is shorter than its header or longer than what is there.
    static func all(in bytes: [UInt8]) throws(Malformed) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var offset = 0
        while offset < bytes.count {
            let rest = bytes[offset...]
            guard let length = rest.number(UInt32.self, at: 0).flatMap({ Int(exactly: $0) }), length >= headerSize,
                length <= rest.count, let kind = rest.number(UInt16.self, at: 4),
                let flags = rest.number(UInt16.self, at: 6), let sequence = rest.number(UInt32.self, at: 8)
            else { throw Malformed(offset: offset) }
            messages.append(
                NetlinkMessage(
                    kind: kind, flags: flags, sequence: sequence,
                    payload: rest[(offset + headerSize)..<(offset + length)]))
            // Messages begin at multiples of four; the last one need not be filled up.
            offset += (length + 3) & ~3
        }
        return messages
    }

    /// The attributes after a fixed part of the payload, by type; a later one of the same type replaces an earlier one. Reading
    /// stops where an attribute does not fit.
    func attributes(after size: Int) -> [UInt16: ArraySlice<UInt8>] {
        guard size <= payload.count else { return [:] }
        return payload.dropFirst(size).netlinkAttributes
    }
}

extension ArraySlice<UInt8> {
    /// Attributes: length (with its own four bytes) and type, two bytes each, then the value, filled up to a multiple of four.
    var netlinkAttributes: [UInt16: ArraySlice<UInt8>] {
        var attributes: [UInt16: ArraySlice<UInt8>] = [:]
        var rest = self
        while let length = rest.number(UInt16.self, at: 0).map(Int.init), length >= 4, length <= rest.count,
            let type = rest.number(UInt16.self, at: 2)
        {
            // The two highest bits are flags of nesting and byte order.
            attributes[type & 0x3FFF] = rest[(rest.startIndex + 4)..<(rest.startIndex + length)]
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return attributes
    }

    /// A number at an offset from the beginning; nil if it is not wholly there.
    func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number? {
        let size = Number.bitWidth / 8
        guard offset >= 0, offset <= count, count - offset >= size else { return nil }
        let bytes = self[(startIndex + offset)..<(startIndex + offset + size)]
        var number = Number.zero
        Swift.withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes) }
        return number
    }
}
