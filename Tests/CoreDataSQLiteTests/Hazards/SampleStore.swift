import CoreData
import CoreDataTestSupport
import SQLiteKit
import Testing
