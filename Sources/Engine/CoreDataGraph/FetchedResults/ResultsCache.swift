import CoreDataStore
import Synchronization

/// A file that caches a list between runs of the program: keys and sections, with a fingerprint of the request.
///
/// The content of a file is not trusted: a file that is damaged, or of another list, is ignored.
package struct ResultsCache {
    private static let chosenFolder = Mutex<URL?>(nil)

    /// The folder of the files: in the user's caches directory, unless set otherwise.
    package static var folder: URL {
        get { chosenFolder.withLock { $0 } ?? usualFolder }
        set { chosenFolder.withLock { $0 = newValue } }
    }

    private static var usualFolder: URL {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return (caches ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("CoreData/FetchedResults").appendingPathComponent(
                ProcessInfo.processInfo.processName)
    }

    private let url: URL

    init(named name: String) {
        let digest = SHA2.sha256(name.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        url = Self.folder.appendingPathComponent(digest + ".list")
    }

    /// Deletes the file of a name; all files if the name is nil.
    static func delete(_ name: String?) {
        try? FileManager.default.removeItem(at: name.map { ResultsCache(named: $0).url } ?? folder)
    }

    // MARK: Contents

    /// The list that was cached under a fingerprint; nil if the file is missing, invalid or of another fingerprint.
    func records(_ fingerprint: String, bindings: (String) -> EntityBinding?) -> SectionedRecords? {
        guard let data = try? Data(contentsOf: url), let list = try? PropertyList(binary: data),
            let fields = list.dictionary, fields["fingerprint"]?.string == fingerprint,
            let keys = fields["keys"]?.data.map(Self.numbers), let kinds = fields["kinds"]?.data.map(Self.numbers),
            let entities = fields["entities"]?.array?.map({ $0.string.flatMap(bindings) }),
            let names = fields["sections"]?.array?.map(\.string), let counts = fields["counts"]?.data.map(Self.numbers),
            keys.count == kinds.count, names.count == counts.count,
            names.isEmpty || Self.sum(counts) == keys.count
        else { return nil }
        var records = SectionedRecords()
        for (key, kind) in zip(keys, kinds) {
            guard let kind = Int(exactly: kind), entities.indices.contains(kind), let binding = entities[kind] else {
                return nil
            }
            records.list.append(RowAddress(binding: binding, key: key))
        }
        for (name, count) in zip(names, counts) {
            guard let name, let count = Int(exactly: count) else { return nil }
            records.sections.append((name, count))
        }
        return records
    }

    /// Writes a list with its fingerprint to the file.
    func keep(_ records: SectionedRecords, _ fingerprint: String) {
        var (entities, kinds): ([String], [Int64]) = ([], [])
        for index in 0..<records.list.count {
            let name = records.list.binding(at: index).layout.entity.name ?? ""
            let known = entities.firstIndex(of: name) ?? entities.count
            if known == entities.count { entities.append(name) }
            kinds.append(Int64(known))
        }
        let list = PropertyList.dictionary([
            "fingerprint": .string(fingerprint), "keys": .data(Self.data(records.list.keys)),
            "kinds": .data(Self.data(kinds)), "entities": .array(entities.map { .string($0) }),
            "sections": .array(records.sections.map { .string($0.name) }),
            "counts": .data(Self.data(records.sections.map { Int64($0.count) })),
        ])
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        // If this fails, the list is fetched again the next time.
        try? list.binaryData.write(to: url, options: .atomic)
    }

    /// The sum of counts; nil if one of them is not positive or the sum overflows.
    private static func sum(_ counts: [Int64]) -> Int? {
        var sum: Int64 = 0
        for count in counts {
            let (next, overflow) = sum.addingReportingOverflow(count)
            guard count > 0, !overflow else { return nil }
            sum = next
        }
        return Int(exactly: sum)
    }

    private static func numbers(_ data: Data) -> [Int64] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
            }
        }
    }

    private static func data(_ numbers: some Collection<Int64>) -> Data {
        let words = numbers.map(\.littleEndian)
        return words.withUnsafeBytes { Data($0) }
    }
}
