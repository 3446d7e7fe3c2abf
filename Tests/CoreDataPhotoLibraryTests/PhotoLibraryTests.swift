import CoreData
import CoreDataPhotoLibrary
import CoreDataPictures
import CoreDataPlaces
import Foundation
import LockKit
import TestBasics
import Testing

@Suite("A folder as a photo library", .serialized, .enabled(if: PhotoFolder.isPossible, PhotoFolder.missing))
struct PhotoLibraryTests {
    private let folder: PhotoFolder
    private var library: PHPhotoLibrary { folder.library }

    init() throws { folder = try PhotoFolder() }

    private func assets(_ options: PHFetchOptions? = nil) throws -> [PHAsset] {
        try Array(library.fetchAssets(with: options))
    }

    @Test("MEDIA-14: assets have type, size, date, place, camera and duration, and say their size in one line")
    func assetsHaveProperties() async throws {
        try folder.picture(
            "a.jpg",
            tags: [
                "DateTimeOriginal=2019:05:04 10:11:12", "OffsetTimeOriginal=+00:00", "Make=Canon", "Model=EOS 80D",
                "GPSLatitude=48.1", "GPSLatitudeRef=N", "GPSLongitude=11.5", "GPSLongitudeRef=E", "Orientation#=6",
            ])
        try folder.film("b.mp4", seconds: 1.5)
        try Data("no picture".utf8).write(to: folder.url.appendingPathComponent("notes.jpg"))
        let report = try await library.scan()
        #expect(report.added == 2 && report.problem == nil)
        let found = try assets()
        let picture = try #require(found.first { $0.mediaType == .image })
        #expect(picture.pixelWidth == 80 && picture.pixelHeight == 120 && picture.sizeText == "80 x 120 - 0.0s")
        #expect(picture.creationDate == Date(timeIntervalSince1970: 1_556_964_672))
        #expect(picture.camera == "Canon EOS 80D")
        #expect(abs((picture.location?.coordinate.latitude ?? 0) - 48.1) < 1e-6)
        let film = try #require(found.first { $0.mediaType == .video })
        #expect(film.sizeText == "160 x 90 - 1.5s" && film.location == nil)
        #expect(try library.fetchAssets(with: .video).count == 1)
    }

    @Test("MEDIA-14: assets keep identifiers, favourites and albums when files are renamed, moved and changed")
    func identifiersStay() async throws {
        let one = try folder.picture("one.png", shade: 1)
        let two = try folder.picture("two.png", shade: 2)
        _ = try await library.scan()
        let before = try assets()
        try library.performChangesAndWait {
            for asset in before { PHAssetChangeRequest(for: asset).isFavorite = true }
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Both").addAssets(before)
        }
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("sub"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: one, to: folder.url.appendingPathComponent("sub/first.png"))
        try FileManager.default.removeItem(at: two)
        try folder.picture("two.png", width: 64, shade: 3)
        let report = try await library.scan()
        #expect(report.moved == 1 && report.changed == 1 && report.added == 0 && report.missing == 0)
        let after = try assets()
        #expect(Set(after.map(\.localIdentifier)) == Set(before.map(\.localIdentifier)))
        #expect(after.allSatisfy(\.isFavorite) && Set(after.map(\.pixelWidth)) == [120, 64])
        let album = try #require(try library.fetchAssetCollections(with: .album).firstObject)
        #expect(try library.fetchAssets(in: album).count == 2)
        #expect(try await library.scan() == PhotoScanReport(), "nothing has changed")
    }

    @Test("MEDIA-14: a file that is gone leaves its asset, which says so until it is back")
    func goneFilesLeaveAssets() async throws {
        let file = try folder.picture("a.png")
        _ = try await library.scan()
        let away = folder.url.deletingLastPathComponent().appendingPathComponent("away.png")
        try FileManager.default.moveItem(at: file, to: away)
        #expect(try await library.scan().missing == 1)
        let gone = try #require(try assets().first)
        #expect(!gone.isAvailable)
        let manager = PHImageManager(library)
        let error = await #expect(throws: PictureFileError.self) {
            try await manager.image(for: gone, targetSize: CGSize(width: 50, height: 50))
        }
        #expect(error?.code == .unreadable)
        try FileManager.default.moveItem(at: away, to: file)
        _ = try await library.scan()
        #expect(try assets().first?.isAvailable == true)
    }

    @Test("MEDIA-14: hidden assets are fetched only when asked for, and smart albums are conditions")
    func smartAlbumsAreConditions() async throws {
        for shade in 0..<4 { try folder.picture("\(shade).png", width: shade == 3 ? 300 : 120, shade: shade) }
        try folder.film("film.mp4", seconds: 1)
        _ = try await library.scan()
        let all = try assets()
        try await library.performChanges {
            PHAssetChangeRequest(for: all[0]).isHidden = true
            PHAssetChangeRequest(for: all[1]).isFavorite = true
        }
        #expect(try assets().count == 4)
        var options = PHFetchOptions()
        options.includeHiddenAssets = true
        #expect(try assets(options).count == 5)
        func count(_ subtype: PHAssetCollectionSubtype) throws -> Int {
            let found = try library.fetchAssetCollections(with: .smartAlbum, subtype: subtype)
            return try library.fetchAssets(in: try #require(found.firstObject)).count
        }
        #expect(try count(.smartAlbumFavorites) == 1 && count(.smartAlbumAllHidden) == 1)
        #expect(try count(.smartAlbumVideos) == (all[0].mediaType == .video ? 0 : 1))
        #expect(try count(.smartAlbumUserLibrary) == 4 && count(.smartAlbumRecentlyAdded) == 4)
        #expect(try library.fetchAssetCollections(with: .smartAlbum).count == 6)
        options = PHFetchOptions()
        options.predicate = NSPredicate(format: "pixelWidth > 200")
        #expect(try assets(options).count == 1)
        options.predicate = nil
        options.sortDescriptors = [NSSortDescriptor(key: "pixelWidth", ascending: false)]
        options.fetchLimit = 2
        #expect(try assets(options).first?.pixelWidth == 300 && assets(options).count == 2)
    }

    @Test("MEDIA-14: a fetch result reads assets when they are asked for, and stays as it was when the library changes")
    func resultsAreLazyAndStay() async throws {
        for shade in 0..<3 { try folder.picture("\(shade).png", shade: shade) }
        _ = try await library.scan()
        let before = try library.fetchAssets()
        let first = before[0]
        try library.performChangesAndWait { PHAssetChangeRequest(for: first).isFavorite.toggle() }
        let lateReader = try library.fetchAssets()
        try library.performChangesAndWait {
            for asset in lateReader { PHAssetChangeRequest(for: asset).isFavorite = true }
            PHAssetChangeRequest.deleteAssets([first])
        }
        #expect(before.count == 3 && before.allSatisfy { !$0.isFavorite }, "read before and after, of one state")
        #expect(lateReader.map(\.isFavorite).count { $0 } == 1, "read after the change, of the state before")
        #expect(try library.fetchAssets().allSatisfy(\.isFavorite) && library.fetchAssets().count == 2)
        #expect(before.index(of: first) == 0 && before.contains(first) && before.lastObject != nil)
        _ = try await library.scan()
        #expect(try library.fetchAssets().count == 2, "a deleted asset stays out, and its file stays")
        #expect(FileManager.default.fileExists(atPath: first.url.path))
    }

    @Test("MEDIA-14: readers see the state before or after a change block, never a mix")
    func readersSeeNoMix() async throws {
        for shade in 0..<6 { try folder.picture("\(shade).png", shade: shade) }
        _ = try await library.scan()
        let library = library
        let all = Array(try library.fetchAssets())
        let reading = Task.detached { () -> Int in
            var mixes = 0
            for _ in 0..<200 {
                let flags = Set(try library.fetchAssets().map(\.isFavorite))
                if flags.count != 1 { mixes += 1 }
            }
            return mixes
        }
        for round in 0..<40 {
            try await library.performChanges {
                for asset in all { PHAssetChangeRequest(for: asset).isFavorite = round % 2 == 0 }
            }
        }
        #expect(try await reading.value == 0)
    }

    @Test("MEDIA-14: a block that fails changes nothing, and one about what is gone fails")
    func failedBlocksChangeNothing() async throws {
        struct Stop: Error {}
        try folder.picture("a.png")
        _ = try await library.scan()
        let asset = try #require(try assets().first)
        #expect(throws: Stop.self) {
            try library.performChangesAndWait {
                PHAssetChangeRequest(for: asset).isFavorite = true
                throw Stop()
            }
        }
        #expect(try assets().first?.isFavorite == false)
        try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
        let error = #expect(throws: PhotoLibraryError.self) {
            try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
        }
        #expect(error?.code == .notFound)
        await #expect(processExitsWith: .failure) {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "outside")
        }
    }

    @Test("MEDIA-14: albums are made, ordered, renamed and deleted, and all is there after a restart")
    func albumsArePersistent() async throws {
        for shade in 0..<3 { try folder.picture("\(shade).png", shade: shade) }
        _ = try await library.scan()
        var options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "path", ascending: true)]
        let all = try assets(options)
        let made = Locked("")
        try await library.performChanges {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Trip")
            request.addAssets([all[2], all[0]])
            made.withLock { $0 = request.localIdentifier }
        }
        let other = try folder.reopened()
        let album = try #require(try other.fetchAssetCollections(with: .album).firstObject)
        #expect(album.localIdentifier == made.withLock { $0 } && album.localizedTitle == "Trip")
        #expect(PhotoFolder.names(try other.fetchAssets(in: album)) == ["2.png", "0.png"])
        try await other.performChanges {
            let request = PHAssetCollectionChangeRequest(for: album)
            request.title = "Journey"
            request.addAssets([all[1], all[2]])
            request.removeAssets([all[0]])
        }
        let renamed = try #require(try other.fetchAssetCollections(with: .album).firstObject)
        #expect(renamed.localizedTitle == "Journey")
        #expect(PhotoFolder.names(try other.fetchAssets(in: renamed)) == ["2.png", "1.png"])
        try await other.performChanges { PHAssetCollectionChangeRequest.deleteAssetCollections([renamed]) }
        #expect(try other.fetchAssetCollections(with: .album).isEmpty && other.fetchAssets().count == 3)
    }

    private final class Observer: PHPhotoLibraryChangeObserver {
        let changes = Locked<[PHChange]>([])
        func photoLibraryDidChange(_ changeInstance: PHChange) { changes.withLock { $0.append(changeInstance) } }
    }

    @Test("MEDIA-14: observers get each change until they are unregistered")
    func observersGetChanges() async throws {
        let observer = Observer()
        library.register(observer)
        try folder.picture("a.png")
        _ = try await library.scan()
        let asset = try #require(try assets().first)
        try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
        library.unregisterChangeObserver(observer)
        try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = false }
        let changes = observer.changes.withLock { $0 }
        #expect(changes.count == 2 && changes[0].insertedIdentifiers == [asset.localIdentifier])
        #expect(changes[1].concerns(asset) && changes[1].insertedIdentifiers.isEmpty)
    }

    private struct Refusal: PhotoLibraryAuthorizer {
        func status(for level: PHAccessLevel) -> PHAuthorizationStatus { .denied }
        func request(_ level: PHAccessLevel) async -> PHAuthorizationStatus { .denied }
    }

    @Test("MEDIA-14: denied access gives empty results, a status to explain, and errors of changes")
    func deniedAccessIsExplained() async throws {
        let denied = try PhotoFolder(authorizer: Refusal())
        try denied.picture("a.png")
        #expect(await denied.library.requestAuthorization() == .denied)
        #expect(try denied.library.fetchAssets().isEmpty && denied.library.fetchAssets().firstObject == nil)
        #expect(try denied.library.fetchAssetCollections(with: .smartAlbum).isEmpty)
        let error = await #expect(throws: PhotoLibraryError.self) { try await denied.library.scan() }
        #expect(error?.code == .accessDenied)
        #expect(throws: PhotoLibraryError.self) { try denied.library.performChangesAndWait {} }
    }

    @Test("MEDIA-13: pictures of assets have the size that is asked for, without distortion, also of films")
    func picturesHaveTheTargetSize() async throws {
        try folder.picture("a.png", width: 400, height: 200)
        try folder.film("b.mp4", seconds: 1)
        _ = try await library.scan()
        let manager = PHImageManager(library)
        for asset in try assets() {
            let fitted = try PictureProperties(
                try await manager.image(for: asset, targetSize: CGSize(width: 80, height: 80)))
            #expect(fitted.size == PixelSize(width: 80, height: asset.mediaType == .image ? 40 : 45))
            let filled = try PictureProperties(
                try await manager.image(for: asset, targetSize: CGSize(width: 60, height: 60), contentMode: .aspectFill)
            )
            #expect(filled.size == PixelSize(width: 60, height: 60))
            let whole = try PictureProperties(
                try await manager.image(for: asset, targetSize: PHImageManagerMaximumSize))
            #expect(whole.size.width == asset.pixelWidth)
        }
        let asset = try #require(try assets().first)
        let data = await withCheckedContinuation { done in
            manager.requestImage(for: asset, targetSize: CGSize(width: 40, height: 40), contentMode: .aspectFit) {
                data, _ in
                done.resume(returning: data)
            }
        }
        #expect(data != nil)
    }

    @Test("MEDIA-14: a playlist that is called a film opens nothing, and its asset has neither size nor duration")
    func playlistsAreNoFilms() async throws {
        let secret = folder.url.deletingLastPathComponent().appendingPathComponent("secret.ts")
        try Data("secret".utf8).write(to: secret)
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://\(secret.path)\n#EXT-X-ENDLIST\n"
        try Data(list.utf8).write(to: folder.url.appendingPathComponent("list.mp4"))
        try Data(list.utf8).write(to: folder.url.appendingPathComponent("list.avi"))
        _ = try await library.scan()
        #expect(try assets().allSatisfy { $0.pixelWidth == 0 && $0.duration == 0 })
    }

    @Test("MEDIA-14: a library whose folder is gone says so")
    func goneFoldersAreErrors() async throws {
        try FileManager.default.removeItem(at: folder.url)
        let error = await #expect(throws: PhotoLibraryError.self) { try await library.scan() }
        #expect(error?.code == .unavailable && error?.hint.contains("Pictures") == true)
    }
}
