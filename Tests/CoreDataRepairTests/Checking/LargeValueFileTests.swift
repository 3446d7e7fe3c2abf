import CoreData
import CoreDataRepair
import TestBasics
import Testing

@Suite("Files of large values that no row names")
struct LargeValueFileTests {
    /// Puts a file into the folder of large values, as old as a crash of some days ago may have left it.
    fileprivate func leave(_ name: String, days: Double, in scene: CheckScene) throws -> URL {
        let url = scene.externalFolder.appendingPathComponent(name)
        try Data("left".utf8).write(to: url)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: url.path)
        return url
    }

    @Test("old files that no row names are found and removed; young ones are reported and stay (HAZ-30)")
    func oldFilesThatNoRowNamesAreFoundAndRemoved() throws {
        let scene = try CheckScene()
        let named = try scene.externalFiles
        let old = try leave(UUID().uuidString, days: 3, in: scene)
        let young = try leave(UUID().uuidString, days: 0, in: scene)
        let report = try scene.check()
        #expect(report.findings.counts == [.orphanedFile: 1] && report.findings.repairable == 1)
        #expect(report.remarks.count == 1 && report.remarks[0].contains("younger"))
        let repaired = try StoreRepair(StoreCheck(scene.url)).run { _ in }
        #expect(repaired.count == 1 && repaired.check.isSound)
        #expect(!FileManager.default.fileExists(atPath: old.path))
        #expect(try Set(scene.externalFiles) == Set(named + [young.lastPathComponent]))
        var check = StoreCheck(scene.url)
        check.grace = 0
        #expect(try StoreRepair(check).run { _ in }.count == 1)
        #expect(try scene.externalFiles == named)
    }

    @Test("a file that cannot be removed is a remark with the reason, and does not count as repaired (HAZ-30)")
    func fileThatCannotBeRemovedIsReported() async {
        await #expect(processExitsWith: .success) {
            let scene = try CheckScene()
            let old = try LargeValueFileTests().leave(UUID().uuidString, days: 3, in: scene)
            // Only the superuser can remove a file from such a folder.
            #expect(chmod(scene.externalFolder.path, 0o555) == 0)
            if geteuid() == 0 {
                let all = try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path)
                for path in [""] + all { lchown(scene.folder.url.appendingPathComponent(path).path, 65_534, 65_534) }
                #expect(seteuid(65_534) == 0)
            }
            var reported: [StoreFinding] = []
            let repaired = try StoreRepair(StoreCheck(scene.url)).run { reported.append($0) }
            #expect(repaired.count == 0 && reported.isEmpty)
            #expect(repaired.remarks.count == 1 && repaired.remarks.first?.contains(old.lastPathComponent) == true)
            #expect(repaired.remarks.first?.contains("Permission denied") == true)
            #expect(!repaired.check.isSound && FileManager.default.fileExists(atPath: old.path))
            seteuid(0)
            chmod(scene.externalFolder.path, 0o755)
        }
    }

    @Test("links and strange files in the folder are reported, never followed and never removed (HAZ-29, HAZ-30)")
    func linksAndStrangeFilesInFolderAreReported() throws {
        let scene = try CheckScene()
        let target = scene.folder.url.appendingPathComponent("precious")
        try Data("precious".utf8).write(to: target)
        let link = scene.externalFolder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let note = try leave("notes.txt", days: 9, in: scene)
        var check = StoreCheck(scene.url)
        check.grace = 0
        let report = try check.run()
        #expect(report.findings.counts == [.strangeFile: 2] && report.findings.repairable == 0)
        _ = try StoreRepair(check).run { _ in }
        #expect(
            FileManager.default.fileExists(atPath: target.path) && FileManager.default.fileExists(atPath: note.path))
        #expect(try scene.externalFiles.contains(link.lastPathComponent))
    }

    @Test("a folder that two stores share, or that is a link, is left alone (HAZ-30)")
    func sharedFolder() throws {
        let scene = try CheckScene()
        let left = try leave(UUID().uuidString, days: 9, in: scene)
        let other = scene.folder.url.appendingPathComponent("People.store")
        try Data().write(to: other)
        #expect(try scene.check().isSound)
        try FileManager.default.removeItem(at: other)
        let elsewhere = scene.folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.moveItem(at: scene.externalFolder, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: scene.externalFolder, withDestinationURL: elsewhere)
        let report = try scene.check()
        #expect(report.findings.counts[.orphanedFile] == nil)
        #expect(FileManager.default.fileExists(atPath: elsewhere.appendingPathComponent(left.lastPathComponent).path))
    }

    @Test(
        "a file that is replaced by a link or has further names is reported and stays (HAZ-29)",
        arguments: [true, false])
    func unusableFile(isLink: Bool) throws {
        let scene = try CheckScene()
        let file = scene.externalFolder.appendingPathComponent(try #require(try scene.externalFiles.first))
        let target = scene.folder.url.appendingPathComponent("target")
        if isLink {
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        } else {
            try FileManager.default.linkItem(at: file, to: target)
        }
        let report = try scene.check()
        #expect(report.findings.counts == [.unusableFile: 1] && report.findings.repairable == 0)
        #expect(report.findings.listed.first?.object == "Person/p1")
    }
}
