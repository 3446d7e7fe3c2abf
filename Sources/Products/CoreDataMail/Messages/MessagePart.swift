import CGMime

/// A part of the library's, which is released with the last reference unless a message or another part has taken it over.
///
/// Invariants:
/// 1. `isOwned` says that nothing else releases the part.
final class MessagePart {
    let pointer: OpaquePointer
    private var isOwned = true

    /// - Throws: ``MailError`` where the library made no part.
    init(_ pointer: OpaquePointer?) throws {
        guard let pointer else { throw MessageBuilder.outOfMemory() }
        self.pointer = pointer
    }

    deinit { if isOwned { cgmime_part_free(pointer) } }

    /// The part, for what takes it over.
    func handedOver() -> OpaquePointer {
        isOwned = false
        return pointer
    }
}
