import CoreData
import TestBasics
import Testing

/// Which libraries a program needs that keeps its stores in files.
@Suite struct LinkingTests {
    #if os(Linux)
        @Test("a program whose stores are files links SQLite and no library of PostgreSQL, transfers or mail (STO-06)")
        func programWhoseStoresAreFilesLinksSQLiteAndNoLibrary() throws {
            let child = try Child([Child.url("StoreChild").path], of: URL(fileURLWithPath: "/usr/bin/ldd"))
            let lines = child.lines()
            #expect(lines.contains { $0.contains("libsqlite3.so") }, "\(lines)")
            for library in ["libpq.so", "libcurl.so", "libgmime", "libavahi"] {
                #expect(!lines.contains { $0.contains(library) }, "\(library): \(lines)")
            }
        }
    #endif
}
