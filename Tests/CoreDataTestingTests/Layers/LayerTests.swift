import Foundation
import TestBasics
import Testing

@Suite struct LayerTests {
    private static let script: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("Scripts/check-test-closures").path
    }()

    @Test(
        "Core Data and its tests are built without the web application, sync and peers (TEST-05)",
        arguments: [
            "CoreData", "CoreDataGraphTests", "CoreDataSQLiteTests", "StoreContractTests",
        ])
    func coreDataIsBuiltAlone(_ module: String) throws {
        let (code, output) = try Toolchain.run("python3", [Self.script, "--modules", module])
        #expect(code == 0, "\(output)")
        let modules = Set(output.split(separator: "\n").map(String.init))
        #expect(modules.contains("CoreDataGraph") && modules.contains(module))
        let others = [
            "CoreDataBrowser", "CoreDataBrowserServer", "CoreDataSync", "CoreDataSyncing", "MultipeerConnectivity",
            "PeerKit",
            "CoreDataTransfer", "CMicroHTTPD", "CCurl", "CoreDataPostgres",
        ]
        #expect(modules.isDisjoint(with: others), "\(modules.intersection(others))")
    }
}
