@_exported import CoreDataDocuments
