@_exported import CoreDataStore
