import CoreDataMedia
import Foundation
import TestBasics
import Testing

@Suite("Playlists", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct PlaylistTests {
    private func bench() throws -> LibraryBench {
        let bench = try LibraryBench()
        try FileManager.default.createDirectory(at: bench.url("lists"), withIntermediateDirectories: true)
        for (index, name) in ["a", "b", "ä ö"].enumerated() {
            try MediaTools.sound(bench.url("\(name).flac"), tags: ["title": name], frequency: 300 + 40 * index)
        }
        return bench
    }

    @Test(
        "MEDIA-06: m3u8 files are read with relative, absolute and file paths, comments, duplicates and what is missing"
    )
    func playlistFilesAreRead() throws {
        let bench = try bench()
        let text = """
            \u{FEFF}#EXTM3U
            #PLAYLIST: My list \r
            #EXTINF:12 tvg-id="a,b",Artist - A
            ../a.flac
            # a comment

            \(bench.url("b.flac").path)\r
            ../lists/./../ä ö.flac
            file://\(bench.url("a.flac").path)
            http://example.com/live
            ../gone.flac
            ..\\b.flac
            ../../../../../../../../../../etc/passwd
            """
        try Data(text.utf8).write(to: bench.url("lists/x.m3u8"))
        let report = try bench.scan()
        #expect(report.playlists == 1 && report.problems.isEmpty)
        let list = try #require(try bench.library.playlists().first)
        #expect(list.name == "My list" && list.isFile)
        #expect(list.items.map(\.title) == ["a", "b", "ä ö", "a", "b"])
        #expect(
            list.missingLocations == [
                "http://example.com/live", "../gone.flac", "../../../../../../../../../../etc/passwd",
            ])
        #expect(try MPMediaQuery.playlists(in: bench.library).collections().map(\.persistentID) == [list.persistentID])
        let named = MPMediaPropertyPredicate(
            value: "my", forProperty: MPMediaPlaylistPropertyName, comparisonType: .contains)
        #expect(try MPMediaQuery.playlists(in: bench.library).items().count == 5)
        let query = MPMediaQuery.playlists(in: bench.library)
        query.addFilterPredicate(named)
        #expect(try query.collections().count == 1)
        query.addFilterPredicate(MPMediaPropertyPredicate(value: "other", forProperty: MPMediaPlaylistPropertyName))
        #expect(try query.collections().isEmpty)
        // A file that comes later is linked; a playlist that is renamed stays the same.
        try MediaTools.sound(bench.url("gone.flac"), tags: ["title": "gone"], frequency: 900)
        try FileManager.default.moveItem(at: bench.url("lists/x.m3u8"), to: bench.url("lists/y.m3u8"))
        try bench.scan()
        let after = try bench.library.playlists()
        #expect(after.count == 1 && after[0].persistentID == list.persistentID)
        #expect(after[0].items.map(\.title) == ["a", "b", "ä ö", "a", "gone", "b"])
    }

    @Test("MEDIA-06: m3u files in Latin-1 are read, binary or too long ones are problems")
    func otherEncodingsAreRead() throws {
        let bench = try bench()
        try Data("../ä ö.flac\n".unicodeScalars.map { UInt8($0.value) }).write(to: bench.url("lists/latin.m3u"))
        try Data([0, 1, 2, 10, 0]).write(to: bench.url("lists/bytes.m3u"))
        try Data(repeating: 65, count: 40_000).write(to: bench.url("lists/line.m3u"))
        try Data(String(repeating: "a\n", count: 100_001).utf8).write(to: bench.url("lists/many.m3u8"))
        let report = try bench.scan()
        #expect(Set(report.problems.map(\.path)) == ["lists/bytes.m3u", "lists/line.m3u", "lists/many.m3u8"])
        let lists = try bench.library.playlists()
        #expect(lists.count == 4)
        #expect(lists.first { $0.name == "latin" }?.items.map(\.title) == ["ä ö"])
    }

    @Test("MEDIA-06: playlists are made and added to, those of files are not; they are written as m3u8 and read again")
    func playlistsAreMade() throws {
        let bench = try bench()
        try bench.scan()
        let songs = try MPMediaQuery.songs(in: bench.library).items()
        var list = try bench.library.makePlaylist(
            named: "Made", description: "d", author: "me", items: [songs[1], songs[0]])
        list = try bench.library.add([songs[1]], to: list)
        #expect(list.items.map(\.title) == [songs[1], songs[0], songs[1]].map(\.title))
        #expect(list.descriptionText == "d" && list.authorDisplayName == "me" && !list.isFile)
        try list.m3u8(relativeTo: bench.folder).write(to: bench.url("made.m3u8"))
        try bench.scan()
        let read = try #require(try bench.library.playlists().first { $0.isFile })
        #expect(read.name == "Made" && read.items == list.items)
        let error = #expect(throws: MediaLibraryError.self) { try bench.library.add(songs, to: read) }
        #expect(error?.code == .unusablePlaylist)
        // Entries keep their item when its file is moved.
        try FileManager.default.moveItem(at: bench.url("a.flac"), to: bench.url("lists/renamed.flac"))
        try bench.scan()
        #expect(try bench.library.playlists().first { !$0.isFile }?.items == list.items)
    }

    @Test(
        "MEDIA-06: a playlist is renamed, its items are moved and removed, entries without an item stay, and it is deleted"
    )
    func playlistsAreEdited() throws {
        let bench = try bench()
        try bench.scan()
        let songs = try MPMediaQuery.songs(in: bench.library).items()
        let (one, two) = (songs[0], songs[1])
        var list = try bench.library.makePlaylist(named: "Made", items: [one, two, one])
        list = try bench.library.rename(list, to: "Other")
        #expect(list.name == "Other" && list.items == [one, two, one])
        list = try bench.library.moveItem(at: 0, to: 2, of: list)
        #expect(list.items == [two, one, one])
        list = try bench.library.removeItems(at: [1], of: list)
        #expect(list.items == [two, one])
        #expect(throws: MediaLibraryError.self) { try bench.library.moveItem(at: 0, to: 2, of: list) }
        #expect(throws: MediaLibraryError.self) { try bench.library.removeItems(at: [5], of: list) }
        // An item that is deleted leaves its entry, as the file that it was.
        list = try bench.library.add([one, two], to: list)
        let context = bench.library.newBackgroundContext()
        try context.performAndWait {
            context.delete(try context.existingObject(with: one.objectID))
            try context.save()
        }
        list = try #require(try bench.library.playlists().first { $0.name == "Other" })
        #expect(list.items == [two, two] && list.missingLocations.count == 2)
        list = try bench.library.moveItem(at: 1, to: 0, of: list)
        list = try bench.library.removeItems(at: [0], of: list)
        #expect(list.items == [two] && list.missingLocations.count == 2)
        try bench.library.delete(list)
        #expect(try bench.library.playlists().allSatisfy { $0.name != "Other" })
        #expect(try MPMediaQuery.songs(in: bench.library).items().contains(two))
        #expect(throws: (any Error).self) { try bench.library.rename(list, to: "x") }
    }
}
