import CoreData
import CoreDataPostgres
import Foundation
import StoreContract
import TestBasics
import TestServers
import Testing
import WriteScenarios

/// Migrations by mapping models of which the answer to the last statement is lost.
extension MappedServerMigrationTests {
    /// What exchanges the tables, and nothing else does.
    private static let exchange = "SET SCHEMA"

    /// Opens the store with the version that it is to have, through a proxy that breaks the commit of the exchange.
    private static func migrate(
        _ scene: ServerScene, _ proxy: FaultProxy, _ fault: WireFault, _ options: [AnyHashable: Any] = [:]
    ) throws -> Stack {
        proxy.arm(fault, atCommitAfter: exchange)
        return try Stack(
            VersionedThings.mapped(), url: proxy.url(schema: scene.schema), kind: .postgreSQL,
            options: scene.options.merging([CoreDataPostgreSQLSilenceOption: 0.4]) { $1 }.merging(options) { $1 })
    }

    @Test(
        "a mapping model's exchange whose commit was not confirmed has migrated the store (HAZ-61)",
        arguments: [WireFault.loseAnswer, .stallBeforeAnswer, .garble(.truncated)])
    func committedUnconfirmed(fault: WireFault) throws {
        let scene = try scene()
        let epoch = try scene.epoch
        let proxy = try FaultProxy(to: scene.server)
        defer { proxy.stop() }
        let stack = try Self.migrate(scene, proxy, fault)
        #expect(proxy.hits == 1)
        #expect(try VersionedThings.faults(stack.context, isMapped: true) == [])
        let after = try scene.epoch
        #expect(after != epoch)
        #expect(try Self.temporaries(scene) == 0)
        try stack.coordinator.remove(stack.store)
        // Nothing is left to be done.
        try Self.expectMigrated(scene)
        #expect(try scene.epoch == after)
    }

    @Test(
        "a mapping model's exchange whose commit the server never got has left the store as it was, and no temporary schema (HAZ-61)",
        arguments: [WireFault.cut, .cutWithinRequest, .stallBeforeRequest])
    func neverCommitted(fault: WireFault) throws {
        let scene = try scene()
        let epoch = try scene.epoch
        let proxy = try FaultProxy(to: scene.server)
        defer { proxy.stop() }
        let error = expectError(134110) { _ = try Self.migrate(scene, proxy, fault) }
        #expect(error?.localizedDescription.contains("It is as it was") == true, "\(error as Any)")
        #expect(proxy.hits == 1)
        try Self.expectUntouched(scene, epoch)
        try Self.expectMigrated(scene)
    }

    @Test(
        "where the server cannot be asked what became of a mapping model's exchange, nothing is claimed (HAZ-61)",
        arguments: [WireFault.loseAnswer, .cut])
    func unknownOutcome(fault: WireFault) throws {
        let scene = try scene()
        let epoch = try scene.epoch
        let proxy = try FaultProxy(to: scene.server)
        defer { proxy.stop() }
        proxy.refusesAfterFault = true
        let error = expectError(134090) {
            _ = try Self.migrate(scene, proxy, fault, [NSPersistentStoreTimeoutOption: 1])
        }
        #expect(error?.localizedDescription.contains("It is not known whether the store") == true, "\(error as Any)")
        #expect(error?.localizedRecoverySuggestion?.contains("Z_UUID") == true)
        #expect(proxy.hits == 1)
        // What the error says to do tells.
        let identity = try scene.ask("SELECT z_uuid FROM z_metadata").first ?? "none"
        let isMigrated = error?.localizedRecoverySuggestion?.contains(identity) == true
        #expect(isMigrated == (fault == .loseAnswer))
        #expect((try scene.epoch != epoch) == isMigrated)
        let before = try scene.epoch
        try Self.expectMigrated(scene)
        #expect((try scene.epoch == before) == isMigrated)
        #expect(try Self.temporaries(scene) == 0)
    }

    @Test(
        "a mapping model makes other objects of a store, in a file as on a server, so addresses of before lead nowhere (MIG-11)"
    )
    func mappingModelMakesOtherObjectsOfStore() throws {
        let file = try TemporaryFolder()
        for (kind, url) in [
            (StoreKind.sqlite, file.url.appendingPathComponent("Old.sqlite")),
            (.postgreSQL, try PostgresServer.shared.get().makeURL("addresses")),
        ] {
            let before = try Stack(VersionedThings.old(), url: url, kind: kind)
            VersionedThings.fill(before.context)
            try before.context.save()
            let addresses = try before.context.all("Thing").map { $0.objectID.uriRepresentation() }
            let identity = before.store.identifier
            try before.coordinator.remove(before.store)
            let after = try Stack(VersionedThings.mapped(), url: url, kind: kind, options: options)
            #expect(after.store.identifier != identity)
            #expect(addresses.allSatisfy { after.coordinator.managedObjectID(forURIRepresentation: $0) == nil })
            #expect(try after.context.all("Thing").count == addresses.count)
        }
    }
}
