import CoreDataPictures

/// Forms of sounds and films that browsers play, by the content of what they were made of: a form that is asked for again is not made
/// again, and several requests for one wait for one process.
///
/// In memory, up to a count of bytes; those that were not asked for longest go first.
package actor PlayableForms {
    /// A sound or film in a form that browsers play.
    package struct Form: Sendable, Equatable {
        let type: String
        let bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
    }

    /// Those of all pages of the process.
    static let shared = PlayableForms(byteLimit: 64 << 20)

    private let byteLimit: Int
    private var kept: [ContentDigest: Form] = [:]
    /// The kept forms, the one that was not asked for longest first.
    private var order: [ContentDigest] = []
    private var running: [ContentDigest: Task<Form, any Error>] = [:]

    package init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// The form of what a digest stands for, which a block makes if it is not kept. What it throws is not kept.
    package func form(
        of digest: ContentDigest, making make: @escaping @Sendable () async throws -> Form
    ) async throws -> Form {
        if let form = kept[digest] {
            order.removeAll { $0 == digest }
            order.append(digest)
            return form
        }
        if let task = running[digest] { return try await task.value }
        let task = Task { try await make() }
        running[digest] = task
        defer { running[digest] = nil }
        let form = try await task.value
        keep(form, digest)
        return form
    }

    private func keep(_ form: Form, _ digest: ContentDigest) {
        guard form.bytes.count <= byteLimit else { return }
        kept[digest] = form
        order.append(digest)
        while kept.values.reduce(0, { $0 + $1.bytes.count }) > byteLimit, !order.isEmpty {
            kept[order.removeFirst()] = nil
        }
    }
}
