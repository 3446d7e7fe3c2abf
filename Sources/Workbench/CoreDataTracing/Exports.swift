@_exported import CoreDataViewing
