import Elsewhere
import Measuring

@MainActor let transientServiceBenchmarks = [
  Benchmark("service.transient") { name, effort in
    try SharedServices.prepare()
    return try effort.compare(
      name, goal: .ratio(2), checksum: { SmallParcel.weight * $0 }, ours: lookUpTransient, baseline: makeParcels)
  },
  // Registered at run time, so that its closure may be taken away: under a lock.
  Benchmark("service.transient.registered") { name, effort in
    try SharedServices.prepare()
    return try effort.compare(
      name, checksum: { SmallParcel.weight * $0 }, ours: lookUpRegistered, baseline: makeParcels)
  },
]
