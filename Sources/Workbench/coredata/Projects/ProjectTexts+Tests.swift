/// The files of a new project with its tests.
extension ProjectTexts {
    static let testTarget = #"""
        ,
                .testTarget(
                    name: "«name»Tests",
                    dependencies: ["«name»", .product(name: "CoreDataTesting", package: "«identity»")],
                    path: "Tests", exclude: ["Budgets.json"],
                    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
        """#

    static let tests = #"""
        import CoreData
        import CoreDataTesting
        import Testing

        @testable import «name»

        /// The list over stacks of CoreDataTesting: each test has a store of its own, in one line.
        @MainActor @Suite struct EventListTests {
            private func moment(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

            @Test func newestMomentComesFirst() throws {
                let stack = try TestStack("«name»", in: .module)
                try stack.make(Event.self, in: stack.viewContext) { $0.timeStamp = moment(10) }
                try stack.viewContext.save()
                let list = try EventList(context: stack.viewContext)
                try list.insertNewObject(moment(20))
                #expect(list.rows == ["1970-01-01T00:00:20Z", "1970-01-01T00:00:10Z"])
                #expect(list.messages == ["will", "insert 0.0", "did"])
            }

            @Test func deletedMomentIsGoneAtNextStart() throws {
                let stack = try TestStack("«name»", in: .module, .sqlite)
                try stack.make(2, Event.self, in: stack.viewContext) { $0.timeStamp = moment(Double($1)) }
                try stack.viewContext.save()
                try EventList(context: stack.viewContext).delete(at: IndexPath(row: 0, section: 0))
                let next = try stack.another()
                #expect(try EventList(context: next.viewContext).rows == ["1970-01-01T00:00:00Z"])
            }

            /// What a list may ask of the store is in Budgets.json, which OPENCOREDATA_BUDGETS=write writes.
            @Test func firstRowsStayInBudget() throws {
                let stack = try TestStack("«name»", in: .module, .sqlite)
                try stack.make(100, Event.self, in: stack.viewContext) { $0.timeStamp = moment(Double($1)) }
                try stack.viewContext.save()
                stack.viewContext.reset()
                try stack.budget("first row of 100", in: .besideTest()) {
                    let list = try EventList(context: stack.viewContext)
                    #expect(list.row(at: IndexPath(row: 0, section: 0)) == "1970-01-01T00:01:39Z")
                }
            }

            @Test func listLeavesNothingBehind() throws {
                let stack = try TestStack("«name»", in: .module)
                try stack.make(3, Event.self, in: stack.viewContext) { $0.timeStamp = moment(Double($1)) }
                try stack.viewContext.save()
                try stack.expectNoLeaks {
                    let list = try EventList(context: stack.viewContext)
                    #expect(list.count == 3)
                }
            }
        }

        """#

    static let budgets = #"""
        {
          "first row of 100" : {
            "faults" : 0,
            "rows" : 120,
            "statements" : 2
          }
        }

        """#
}
