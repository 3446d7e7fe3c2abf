/// Why bytes from outside were refused.
package struct FormatError: Error, Hashable, CustomStringConvertible {
    package enum Reason: String, Sendable {
        case truncated = "the bytes end early"
        case notCanonical = "a number is not written in its shortest form"
        case overflow = "a number is too large"
        case checksum = "the checksum is wrong"
        case notSync = "the bytes do not begin as those of this format"
        case newerFormat = "a newer program wrote the bytes; update this one"
        case unknownKind = "the kind of the bytes is not known"
        case peer = "a peer is not in the table of the bytes"
        case tooManyPeers = "there are more peers than a store can know"
        case tooManyItems = "there are more items than the bytes may have"
        case text = "a text is not UTF-8"
        case value = "a value is malformed"
        case depth = "arrays are nested too deeply"
        case trailing = "there are bytes after the end"
        case operation = "an operation is malformed"
        case tooLarge = "there are more bytes than a frame may have"
    }

    package let reason: Reason
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason.rawValue) (at byte \(offset))" }
}
