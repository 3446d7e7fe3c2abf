import CoreDataModeling
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureHashTests {
    /// The version hashes, digest and checksum that a store's metadata states.
    struct Stated {
        var hashes: [String: Data]
        var digest: String?
        var checksum: String?

        init(_ metadata: Data) throws {
            let values = try #require(try PropertyList(binary: metadata).dictionary)
            let stored = try #require(values["NSStoreModelVersionHashes"]?.dictionary)
            hashes = stored.compactMapValues(\.data)
            digest = values["NSStoreModelVersionHashesDigest"]?.string
            checksum = values["NSStoreModelVersionChecksumKey"]?.string
        }
    }

    @Test("hashes of a store's kept model equal its metadata (MOD-36)", arguments: FixtureSupport.stores)
    func keptModelHashesAsTheStoreStates(store: String) throws {
        let (metadata, cached) = try FixtureSupport.bookkeeping(of: store)
        let stated = try Stated(metadata)
        #expect(!stated.hashes.isEmpty)
        guard let cached else { return }
        let model = try NSManagedObjectModel(cachedModel: cached)
        #expect(model.entitiesDiffering(from: stated.hashes).map(\.entity) == [])
        #expect(stated.digest == nil || stated.digest == model.versionHashesDigest)
        #expect(stated.checksum == nil || stated.checksum == model.versionChecksum)
        let values = try #require(try PropertyList(binary: metadata).foundationValue as? [String: Any])
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: values))
    }

    @Test("hashes of a store's source equal its metadata (MOD-36)")
    func sourcesHashAsTheirStoresState() throws {
        var matched = 0
        for store in FixtureSupport.stores {
            let stated = try Stated(FixtureSupport.bookkeeping(of: store).metadata)
            let project = store.split(separator: "/").prefix(2).joined(separator: "/") + "/"
            let sources = FixtureSupport.paths(endingIn: ".xcdatamodel/contents").filter { $0.hasPrefix(project) }
            let models = try sources.map { try NSManagedObjectModel(reading: Fixtures.url($0)) }
            let found = models.first { $0.entitiesDiffering(from: stated.hashes).isEmpty }
            if let found {
                matched += 1
                #expect(stated.digest == nil || stated.digest == found.versionHashesDigest)
            } else {
                print("no source matches \(store)")
            }
        }
        print("\(matched) of \(FixtureSupport.stores.count) stores have a matching source")
        #expect(matched >= 14)
    }

    @Test("compiled models hash as VersionInfo.plist states (MOD-04)")
    func compiledModelsHashAsTheirInformationStates() throws {
        var checked = 0
        for path in FixtureSupport.paths(endingIn: ".momd") where !path.contains("freecoredata") {
            let folder = Fixtures.url(path)
            let information = try VersionInformation(momd: folder)
            for (version, hashes) in information.hashesByVersion {
                let file = folder.appendingPathComponent(version + ".mom")
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                let model = try NSManagedObjectModel(reading: file)
                #expect(model.entitiesDiffering(from: hashes).map(\.entity) == [], "\(path) \(version)")
                if let checksum = information.checksumsByVersion[version] { #expect(model.versionChecksum == checksum) }
                checked += 1
            }
        }
        #expect(checked >= 14)
        print("\(checked) compiled versions")
    }

    @Test("the checksums of a package are those of its versions, stated or computed (MOD-36)")
    func checksumsAreThoseOfTheVersions() throws {
        var (stated, computed) = (0, 0)
        for path in FixtureSupport.paths(endingIn: ".momd") where !path.contains("freecoredata") {
            let folder = Fixtures.url(path)
            let information = try VersionInformation(momd: folder)
            for (version, checksum) in try NSManagedObjectModel.checksumsForVersionedModel(at: folder) {
                let model = try NSManagedObjectModel(reading: folder.appendingPathComponent(version + ".mom"))
                #expect(model.versionChecksum == checksum, "\(path) \(version)")
                if information.checksumsByVersion[version] == nil { computed += 1 } else { stated += 1 }
            }
        }
        #expect(stated >= 3 && computed >= 1)
        expectError(260) {
            try NSManagedObjectModel.checksumsForVersionedModel(at: Fixtures.url("models/none.momd"))
        }
    }

    @Test("every source of the fixtures is read, those of the form before Xcode 4 too (MOD-03)")
    func everySourceIsRead() throws {
        let paths = FixtureSupport.paths(endingIn: ".xcdatamodel")
        for path in paths {
            let model = try NSManagedObjectModel(reading: Fixtures.url(path))
            #expect(model.notes.allSatisfy { !$0.hasPrefix("<") }, "\(path): \(model.notes)")
        }
        print("\(paths.count) sources read")
        #expect(paths.count >= 164)
    }
}
