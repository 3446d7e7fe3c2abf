import Foundation

extension JobRecord {
    /// The greatest size of a record's file in bytes.
    static let greatestSize = 1 << 20
    /// The greatest number of dictionaries and arrays in a file: those of a record are two.
    private static let greatestContainerCount = 16

    /// The bytes of its file.
    ///
    /// - Throws: ``JobError`` if they are too many.
    func encoded() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let data = try encoder.encode(self)
        guard data.count <= Self.greatestSize else {
            throw JobError(
                .recordTooLarge,
                "the record of the job '\(title)' has \(data.count) bytes, a journal takes \(Self.greatestSize); "
                    + "keep parameters and checkpoints small")
        }
        return data
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``JobError`` of code `damagedRecord` with what is wrong.
    init(decoding data: Data, id: UUID) throws {
        // What is nested deeply is not given to the parser, which would recur as deeply.
        guard data.starts(with: Data("<?xml".utf8)), Self.containerCount(data) <= Self.greatestContainerCount else {
            throw JobError(.damagedRecord, "it is not a property list of a job")
        }
        let record: JobRecord
        do {
            record = try PropertyListDecoder().decode(JobRecord.self, from: data)
        } catch {
            throw JobError(.damagedRecord, "it is not a property list of a job: \(error)")
        }
        guard record.version == Self.currentVersion else {
            throw JobError(.damagedRecord, "it has version \(record.version), not \(Self.currentVersion)")
        }
        guard record.id == id else { throw JobError(.damagedRecord, "it belongs to the job \(record.id)") }
        guard record.completedUnitCount >= 0, record.totalUnitCount >= 0 else {
            throw JobError(.damagedRecord, "it has a negative count of units")
        }
        self = record
    }

    private static func containerCount(_ data: Data) -> Int {
        var count = 0
        for tag in ["<dict", "<array", "<plist"] {
            var rest = data[...]
            while let found = rest.range(of: Data(tag.utf8)) {
                count += 1
                rest = rest[found.upperBound...]
            }
        }
        return count
    }
}
