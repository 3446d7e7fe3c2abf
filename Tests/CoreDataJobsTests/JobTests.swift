import CoreDataJobs
import Testing
