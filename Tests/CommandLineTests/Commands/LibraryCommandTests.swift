import CoreData
import ProgramKit
import TestBasics
import Testing

@Suite(
    "Commands of media libraries",
    .enabled(
        if: HelperProgram("ffmpeg", package: "ffmpeg").url != nil
            && HelperProgram("exiftool", package: "libimage-exiftool-perl").url != nil,
        "ffmpeg or exiftool is missing: apt-get install ffmpeg libimage-exiftool-perl"))
struct LibraryCommandTests {
    private struct Bench {
        let folder: TemporaryFolder
        let music: URL
        var store: String { folder.url.appendingPathComponent("L.sqlite").path }

        init() throws {
            folder = try TemporaryFolder()
            music = folder.url.appendingPathComponent("Music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            for (index, title) in ["Black Friday", "Friday", "Other"].enumerated() {
                let url = music.appendingPathComponent("\(index).flac")
                let output = try HelperProgram("ffmpeg", package: "ffmpeg").run([
                    "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
                    "sine=frequency=\(300 + 50 * index):duration=1",
                    "-metadata", "title=\(title)", "-metadata", "album=Friday", "-metadata", "artist=Anna", url.path,
                ])
                try #require(output.status == 0)
            }
            try Data("1.flac\n0.flac\nnone.flac\n".utf8).write(to: music.appendingPathComponent("list.m3u8"))
            try Data("x".utf8).write(to: music.appendingPathComponent("bad.mp3"))
        }

        func run(_ words: String...) throws -> Tool.Outcome { try Tool.run(["library"] + words + ["--store", store]) }
    }

    @Test("MEDIA-01: a folder is scanned, its problems are named, and a second scan changes nothing")
    func foldersAreScanned() throws {
        let bench = try Bench()
        let first = try bench.run("scan", bench.music.path)
        #expect(first.code == 0, "\(first.errors)")
        #expect(
            first.output.hasPrefix(
                "5 files: 4 added, 0 changed, 0 moved, 0 vanished, 0 returned, 0 unchanged, 1 playlists read"))
        #expect(first.errors.contains("bad.mp3: "))
        let second: [String: Any] = try bench.run("scan", bench.music.path, "--format", "json").json()
        #expect(second["unchanged"] as? Int == 5 && second["added"] as? Int == 0)
        let missing = try bench.run("scan", bench.music.path + "/none")
        #expect(missing.code == 1 && missing.errors.contains("cannot be read"))
        // The store is one that all commands read.
        #expect(try Tool.run("fetch", bench.store, "MediaItem", "--where", "title == 'Friday'").output.contains("Anna"))
    }

    @Test("MEDIA-03, MEDIA-04, MEDIA-06: items, groups and playlists are listed, and a playlist is printed as a file")
    func itemsAndGroupsAreListed() throws {
        let bench = try Bench()
        #expect(try bench.run("scan", bench.music.path).code == 0)
        let items: [[String: Any]] = try bench.run("list", "songs", "--title", "fRIDAY", "--format", "json").json()
        #expect(items.map { $0["title"] as? String } == ["Black Friday", "Friday"])
        #expect(items[0]["duration"] as? Double == 1 && items[0]["available"] as? Bool == true)
        let same: [[String: Any]] = try bench.run("list", "--where", "title == albumTitle", "--format", "json").json()
        #expect(same.map { $0["title"] as? String } == ["Friday"])
        #expect(try bench.run("list", "albums").output.contains("Friday"))
        let lists: [[String: Any]] = try bench.run("playlists", "--format", "json").json()
        #expect(lists.count == 1 && lists[0]["missing"] as? [String] == ["none.flac"])
        let file = try bench.run("playlists", "list", "--relative", bench.music.path)
        #expect(
            file.output
                == "#EXTM3U\n#PLAYLIST:list\n#EXTINF:1,Anna - Friday\n1.flac\n#EXTINF:1,Anna - Black Friday\n0.flac\n")
        #expect(try bench.run("list", "song").code == 2)
        #expect(try bench.run("list", "--where", "title ==").code == 1)
        #expect(try bench.run("playlists", "none").code == 1)
        #expect(try Tool.run("library", "list", "--store", bench.store + "x").errors.contains("library scan FOLDER"))
    }

    @Test("MEDIA-06: playlists are made, renamed, put in another order and exported; those of files are not changed")
    func playlistsAreEdited() throws {
        let bench = try Bench()
        #expect(try bench.run("scan", bench.music.path).code == 0)
        #expect(try bench.run("playlist", "make", "Mine", "--title", "Friday").code == 0)
        #expect(try bench.run("playlist", "make", "Mine").errors.contains("there is a playlist of this name"))
        #expect(try bench.run("playlist", "add", "Mine", "--where", "title == 'Other'").code == 0)
        #expect(try bench.run("playlist", "rename", "Mine", "Ours").code == 0)
        let moved = try bench.run("playlist", "move", "Ours", "3", "1").output
        let places = ["Other", "Black Friday"].compactMap { moved.range(of: $0)?.lowerBound }
        #expect(places.count == 2 && places[0] < places[1])
        let file = bench.music.appendingPathComponent("ours.m3u8")
        #expect(try bench.run("playlist", "export", "Ours", file.path).code == 0)
        let paths = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(paths.map(String.init) == ["2.flac", "0.flac", "1.flac"])
        #expect(try bench.run("playlist", "export", "Ours", file.path).errors.contains("the file is there"))
        #expect(try bench.run("playlist", "remove", "Ours", "1", "3").output.contains("Black Friday"))
        #expect(try bench.run("playlist", "remove", "Ours", "2").errors.contains("has 1 items"))
        #expect(try bench.run("playlist", "rename", "list", "x").errors.contains("is a file, which is never written"))
        #expect(try bench.run("playlist", "move", "Ours", "0", "1").code == 2)
        #expect(try bench.run("playlist", "reorder", "Ours").code == 2)
        #expect(try bench.run("playlist", "delete", "Ours").code == 0)
        #expect(try bench.run("playlist", "show", "Ours").code == 1)
    }

    @Test("MEDIA-09, MEDIA-10: a stored player is shown and changed: its queue, what comes next, repeat and shuffle")
    func playersAreChanged() throws {
        let bench = try Bench()
        #expect(try bench.run("scan", bench.music.path).code == 0)
        #expect(try bench.run("player").output.hasPrefix("stopped, repeat default, shuffle default"))
        #expect(try bench.run("player", "queue", "--where", "title CONTAINS 'Friday'").code == 0)
        #expect(try bench.run("player", "add", "list").code == 0)
        #expect(try bench.run("player", "insert", "--title", "Other").code == 0)
        func titles() throws -> [String] {
            let lines = try bench.run("player", "show").output.split(separator: "\n")
            return lines.compactMap { line in
                ["Black Friday", "Friday", "Other"].first { line.contains($0) }.map {
                    (line.hasPrefix(">") ? ">" : "") + $0
                }
            }
        }
        #expect(try titles() == [">Black Friday", "Other", "Friday", "Friday", "Black Friday"])
        #expect(try bench.run("player", "next").code == 0)
        #expect(try titles() == ["Black Friday", ">Other", "Friday", "Friday", "Black Friday"])
        #expect(try bench.run("player", "move", "2", "5").code == 0)
        #expect(try bench.run("player", "remove", "1").code == 0)
        #expect(try titles() == ["Friday", "Friday", "Black Friday", ">Other"])
        #expect(try bench.run("player", "repeat", "all").code == 0)
        #expect(try bench.run("player", "next").output.contains("repeat all"))
        #expect(try titles().first == ">Friday")
        #expect(try bench.run("player", "shuffle", "songs").code == 0)
        let value: [String: Any] = try bench.run("player", "--format", "json").json()
        #expect((value["order"] as? [Int])?.sorted() == [0, 1, 2, 3] && value["shuffleMode"] as? Int == 2)
        for words in [["repeat", "twice"], ["select", "9"], ["sing"], ["next", "1"]] {
            #expect(try Tool.run(["library", "player"] + words + ["--store", bench.store]).code == 2, "\(words)")
        }
        let player = bench.folder.url.appendingPathComponent("L.player.json")
        try Data("{}".utf8).write(to: player)
        #expect(try bench.run("player", "next").errors.contains("no stored player"))
        #expect(try Data(contentsOf: player) == Data("{}".utf8))
    }

    @Test("MEDIA-01: without the programs files are items all the same, and their packages are named")
    func missingProgramsAreNamed() throws {
        let bench = try Bench()
        let film = bench.music.appendingPathComponent("film.mkv")
        try Data("no film".utf8).write(to: film)
        let outcome = try Tool.run(
            ["library", "scan", bench.music.path, "--store", bench.store, "--format", "json"],
            environment: ["PATH": bench.folder.url.path])
        let report: [String: Any] = try outcome.json()
        #expect(report["added"] as? Int == 5)
        #expect(report["missingPackages"] as? [String] == ["ffmpeg", "libimage-exiftool-perl"])
        let items: [[String: Any]] = try bench.run("list", "--format", "json").json()
        #expect(items.compactMap { $0["title"] as? String }.sorted() == ["0", "1", "2", "bad", "film"])
        #expect(items.first { $0["title"] as? String == "film" }?["type"] as? Int == 256)
    }

    @Test("MEDIA-01: a program that hangs is ended, and the rest of the scan goes on")
    func hangingProgramsAreEnded() throws {
        let bench = try Bench()
        let tool = bench.folder.url.appendingPathComponent("exiftool")
        try Data("#!/bin/sh\nexec sleep 600\n".utf8).write(to: tool)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        for name in ["1.flac", "2.flac", "bad.mp3"] {
            try FileManager.default.removeItem(at: bench.music.appendingPathComponent(name))
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let outcome = try Tool.run(
            ["library", "scan", bench.music.path, "--store", bench.store, "--format", "json"],
            environment: ["PATH": "\(bench.folder.url.path):\(path)"])
        let report: [String: Any] = try outcome.json()
        #expect(report["added"] as? Int == 1 && (report["seconds"] as? Double ?? 600) < 300)
        // What 'ffprobe' says instead.
        let items: [[String: Any]] = try bench.run("list", "--format", "json").json()
        #expect(items.map { $0["title"] as? String } == ["Black Friday"] && items[0]["duration"] as? Double == 1)
    }
}
