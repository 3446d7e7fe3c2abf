/// Writes a store's state as a baseline, one part after the other: only one of them is in memory.
struct BaselineMaker {
    private let state: SyncState
    private let head: Baseline

    /// - Parameters:
    ///   - state: A state whose objects and links are all in its storage.
    ///   - head: What concerns the whole.
    init(_ state: SyncState, _ head: Baseline) {
        self.state = state
        self.head = head
    }

    /// Takes the frame of a part, and the chunks of large values that its objects name.
    typealias Body = ([UInt8], [LargeValue.Chunk]) throws -> Void

    /// Gives the frames of the parts, each of about so many bytes.
    func frames(of size: Int, _ body: Body) throws {
        let portions = try portions(of: size)
        var objects = StatePages(state.storage, [StateKey.object])
        var links = StatePages(state.storage, [StateKey.link])
        for (number, portion) in portions.enumerated() {
            var chunks: Set<LargeValue.Chunk> = []
            let frame = try SyncFrame.baseline(head.part(number, of: portions.count, [], [])) { writer in
                writer.write(count: portion.objects)
                for _ in 0..<portion.objects {
                    guard let entry = try objects.next() else { throw FormatError(.truncated, at: 0) }
                    writer.write(try state.object(inKey: entry.key))
                    let record = try state.record(of: entry.value ?? [])
                    chunks.formUnion(record.chunks)
                    writer.write(record)
                }
                writer.write(count: portion.links)
                for _ in 0..<portion.links {
                    guard let entry = try links.next() else { throw FormatError(.truncated, at: 0) }
                    writer.write(try state.link(inKey: entry.key), try state.tags(of: entry.value ?? []))
                }
            }
            try body(frame, Array(chunks))
        }
    }

    /// How many objects and links each part has, by the sizes of their entries, which are hardly less than what they take in a frame.
    private func portions(of size: Int) throws -> [(objects: Int, links: Int)] {
        var portions = [(objects: 0, links: 0)]
        var bytes = 0
        func makeRoom(for entry: StateEntry) {
            let count = entry.key.count + (entry.value?.count ?? 0)
            if bytes > 0, bytes + count > size {
                portions.append((0, 0))
                bytes = 0
            }
            bytes += count
        }
        var objects = StatePages(state.storage, [StateKey.object])
        while let entry = try objects.next() {
            makeRoom(for: entry)
            portions[portions.count - 1].objects += 1
        }
        var links = StatePages(state.storage, [StateKey.link])
        while let entry = try links.next() {
            makeRoom(for: entry)
            portions[portions.count - 1].links += 1
        }
        return portions
    }
}

/// The entries of a storage with a prefix, read some at a time.
struct StatePages {
    private static let count = 500
    private let storage: any SyncStorage
    private let prefix: [UInt8]
    private var page: [StateEntry] = []
    private var index = 0
    private var isAtEnd = false

    init(_ storage: any SyncStorage, _ prefix: [UInt8]) {
        self.storage = storage
        self.prefix = prefix
    }

    /// The next entry; nil at the end.
    mutating func next() throws -> StateEntry? {
        if index == page.count, !isAtEnd {
            page = try storage.entries(withPrefix: prefix, after: page.last?.key, atMost: Self.count)
            index = 0
            isAtEnd = page.isEmpty
        }
        guard index < page.count else { return nil }
        index += 1
        return page[index - 1]
    }
}
