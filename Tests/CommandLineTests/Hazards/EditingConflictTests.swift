import CoreData
import CoreDataWorkbench
import Testing

/// Changes by somebody else between the reading and the saving of an edit.
@Suite struct EditingConflictTests {
    /// Changes all people behind the back of the first save to a club's store.
    private func interfere(with club: Club) -> any NSObjectProtocol {
        let path = club.store.resolvingSymlinksInPath().path
        return NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
        ) { notification in
            let context = notification.object as? NSManagedObjectContext
            let url = context?.persistentStoreCoordinator?.persistentStores.first?.url
            guard url?.resolvingSymlinksInPath().path == path else { return }
            try? Database.change(club.store, "UPDATE ZPERSON SET Z_OPT = Z_OPT + 1, ZLEVEL = 8")
        }
    }

    @Test("a row that another writer changed meanwhile is left as it is (TOOL-17)", arguments: [true, false])
    func conflictIsReportedAndNothingIsChanged(isDeletion: Bool) throws {
        let club = try Club.filled()
        defer { club.remove() }
        let store = try OpenStore(at: club.store, model: club.package, for: .editing)
        let observer = interfere(with: club)
        defer { NotificationCenter.default.removeObserver(observer) }
        let error = #expect(throws: InspectionError.self) {
            if isDeletion {
                _ = try Deletion(.addresses(["Member/p1"])).apply(in: store)
            } else {
                _ = try ObjectEdit(["level=4"]).apply(to: .addresses(["Member/p1"]), in: store)
            }
        }
        let cause = error?.cause ?? ""
        #expect(cause.contains("1 record was changed meanwhile: Member/p1, version"), "\(cause)")
        #expect(error?.cause.hasSuffix("[133020]") == true)
        #expect(error?.hint == "nothing was changed; look at the objects again and run the command once more")
        #expect(try club.sql("SELECT group_concat(ZLEVEL) FROM ZPERSON") == "8,8,8")
    }
}
