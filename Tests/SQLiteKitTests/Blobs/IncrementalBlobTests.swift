import Foundation
import SQLiteKit
import Testing

struct IncrementalBlobTests {
    private let connection: Connection

    init() throws {
        connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB)")
        try connection.execute(
            "INSERT INTO t VALUES (1, x'000102030405060708'), (2, NULL), (3, 7), (4, x''), (5, 'text')")
    }

    private func part(_ blob: IncrementalBlob, _ place: Int, _ count: Int) throws -> [UInt8] {
        try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            try blob.read(buffer, at: place)
            return Array(buffer)
        }
    }

    @Test func partsAreReadAtAnyPlace() throws {
        let blob = try IncrementalBlob(connection, table: "t", column: "v", row: 1)
        #expect(blob.count == 9)
        #expect(try part(blob, 0, 3) == [0, 1, 2] && part(blob, 7, 2) == [7, 8] && part(blob, 9, 0).isEmpty)
        #expect(try IncrementalBlob(connection, table: "t", column: "v", row: 4).count == 0)
        #expect(try IncrementalBlob(connection, table: "t", column: "v", row: 5).count == 4)
    }

    @Test("HAZ: what is not within the value is refused", arguments: [(8, 2), (-1, 1), (10, 0), (0, 10), (Int.max, 1)])
    func placesOutside(place: Int, count: Int) throws {
        let blob = try IncrementalBlob(connection, table: "t", column: "v", row: 1)
        let error = #expect(throws: SQLiteError.self) { try part(blob, place, count) }
        #expect(error?.code == .misuse)
    }

    @Test func partsAreWrittenOverZeros() throws {
        let statement = try connection.prepare("INSERT INTO t VALUES (6, ?)")
        try statement.bind(zeros: 6, at: 1)
        try statement.run()
        var blob: IncrementalBlob? = try IncrementalBlob(connection, table: "t", column: "v", row: 6, isWritten: true)
        try ([7, 8, 9] as [UInt8]).withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            try blob?.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(1)), at: 1)
            try blob?.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(0)), at: 6)
            let error = #expect(throws: SQLiteError.self) { try blob?.write(bytes, at: 4) }
            #expect(error?.code == .misuse)
        }
        blob = nil
        #expect(try connection.value("SELECT v FROM t WHERE id = 6") == .blob([0, 7, 0, 0, 0, 0]))
        let reading = try IncrementalBlob(connection, table: "t", column: "v", row: 6)
        #expect(throws: SQLiteError.self) { try ([1] as [UInt8]).withUnsafeBytes { try reading.write($0, at: 0) } }
    }

    @Test func whatIsNoValueOfBytesIsRefused() throws {
        for (table, column, row) in [
            ("t", "v", 2), ("t", "v", 3), ("t", "v", 9), ("t", "none", 1), ("none", "v", 1),
        ] as [(String, String, Int64)] {
            #expect(throws: SQLiteError.self) {
                try IncrementalBlob(connection, table: table, column: column, row: row)
            }
        }
    }

    @Test func aRowThatIsChangedIsNotReadAnyMore() throws {
        let blob = try IncrementalBlob(connection, table: "t", column: "v", row: 1)
        try connection.execute("UPDATE t SET v = x'09' WHERE id = 1")
        #expect(throws: SQLiteError.self) { try part(blob, 0, 1) }
    }
}
