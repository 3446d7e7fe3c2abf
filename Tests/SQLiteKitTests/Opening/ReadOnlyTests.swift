import Foundation
import SQLiteKit
import Testing

@_silgen_name("setfsuid") private func setfsuid(_ id: UInt32) -> Int32

struct ReadOnlyTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Runs a body as a user who may write nothing: root passes over permission bits.
    private func withoutPrivileges(_ body: () throws -> Void) rethrows {
        let former = setfsuid(65_534)
        defer { _ = setfsuid(UInt32(bitPattern: former)) }
        try body()
    }

    private func withReadOnlyFolder(_ body: () throws -> Void) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path) }
        try withoutPrivileges(body)
    }

    @Test func readOnlyConnectionRefusesWrites() throws {
        let connection = try Connection.open(try scratch.database(rows: 1), OpenOptions(mode: .readOnly))
        #expect(connection.isReadOnly)
        #expect(sqliteError { try connection.execute("DELETE FROM t") }?.code.primary == .readOnly)
        #expect(try connection.value("SELECT count(*) FROM t") == 1)
    }

    @Test("a file that may not be written opens read-only and says so (HAZ-09)")
    func unwritableFileIsFoundReadOnly() throws {
        let path = try scratch.database(rows: 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        try withReadOnlyFolder {
            let connection = try Connection.open(path)
            #expect(connection.isReadOnly)
            #expect(try connection.value("SELECT count(*) FROM t") == 1)
        }
    }

    @Test("a WAL database in a read-only folder opens when immutable (HAZ-09)")
    func walDatabaseInReadOnlyFolderOpensImmutable() throws {
        let path = try scratch.database(rows: 4, journal: "WAL")
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        try withReadOnlyFolder {
            let error = sqliteError { _ = try Connection.open(path, OpenOptions(mode: .readOnly)) }
            #expect(error?.code.primary == .readOnly)
            var options = OpenOptions(mode: .readOnly)
            options.isImmutable = true
            let connection = try Connection.open(path, options)
            #expect(try connection.value("SELECT count(*) FROM t") == 4)
        }
    }

    @Test func newFileInReadOnlyFolderIsRefused() throws {
        try withReadOnlyFolder {
            let error = sqliteError { _ = try Connection.open(scratch.file("new"), OpenOptions(mode: .create)) }
            #expect(error?.code.primary == .cannotOpen)
            #expect(error?.hint != nil)
        }
    }

    @Test("a file replaced under the connection is noticed (HAZ-36)") func replacedFileIsNoticed() throws {
        let path = try scratch.database(rows: 1)
        let connection = try Connection.open(path)
        #expect(!connection.fileHasMoved)
        try FileManager.default.moveItem(atPath: path, toPath: scratch.file("b"))
        #expect(connection.fileHasMoved)
    }
}
